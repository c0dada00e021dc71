package web

import "net/http"

// route is a pattern with who may call it; without roles everybody, logged in or not.
type route struct {
	pattern string
	roles   []Role
}

// routes is a mux that keeps what it was given, so that a test can try each route as everybody.
type routes struct {
	mux  *http.ServeMux
	list []route
}

func newRoutes() *routes { return &routes{mux: http.NewServeMux()} }

// Handle adds a route. Who may call it, a handler of [Server.only] says.
func (r *routes) Handle(pattern string, h http.Handler) {
	added := route{pattern: pattern}
	if g, ok := h.(*guarded); ok {
		added.roles = g.roles
	}
	r.list = append(r.list, added)
	r.mux.Handle(pattern, h)
}

// HandleFunc adds a route that everybody may call.
func (r *routes) HandleFunc(pattern string, h http.HandlerFunc) { r.Handle(pattern, h) }

// guarded answers people who have one of the roles.
type guarded struct {
	http.Handler

	roles []Role
}
