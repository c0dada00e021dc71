package sandbox

import "context"

// Template is a cluster that was initialised and never started. Copies of it are made faster
// than new clusters; they have its superuser, password and system identifier.
type Template struct{ cluster *Server }

// NewTemplate initialises a cluster in dir, which must be empty or not exist.
func NewTemplate(ctx context.Context, dir string, o Options) (*Template, error) {
	s, err := newServer(dir, o)
	if err != nil {
		return nil, err
	}
	return &Template{s}, s.initialise(ctx)
}

// Start is [Start] for a copy of the template.
func (t *Template) Start(ctx context.Context, dir string) (*Server, error) {
	return create(ctx, dir, t.cluster.opts, func(s *Server, ctx context.Context) error {
		s.password = t.cluster.password
		if err := s.claim(); err != nil {
			return err
		}
		return runToEnd(ctx, s.account.command(s.dir, "cp", "-Rp", t.cluster.data(), s.data()))
	})
}
