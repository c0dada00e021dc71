package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/pgdeid/pgdeid/ensemble/onnx"
)

// answerTime is how long a worker may take for a request before it counts as hung: thousands of times what networks need
// for so many windows.
const answerTime = 10 * time.Second

// client speaks to one worker.
type client struct {
	address string
	http    http.Client
	timeout time.Duration
	process string // of the worker that was agreed with
}

// connect returns a client of the worker at an address. Nothing is sent yet.
func (p *Pool) connect(address string) (*client, error) {
	secured, err := p.Secured()
	if err != nil {
		return nil, err
	}
	return &client{address: address, timeout: p.answerTime, http: http.Client{
		// No proxy: these are words of notes. HTTP/1.1 costs less than HTTP/2 where each connection is busy.
		Transport: &http.Transport{
			TLSClientConfig: secured, DialContext: (&net.Dialer{Timeout: 5 * time.Second}).DialContext, TLSHandshakeTimeout: 5 * time.Second,
			MaxIdleConnsPerHost: mostCores * requestsOfACore, IdleConnTimeout: time.Minute, DisableCompression: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("the worker sends its clients elsewhere")
		},
	}}, nil
}

func (c *client) close() { c.http.CloseIdleConnections() }

// hello asks what a worker works with.
func (c *client) hello(ctx context.Context) (*Hello, error) {
	data, err := c.do(ctx, http.MethodGet, helloPath, nil, 1<<20)
	if err != nil {
		return nil, err
	}
	h := &Hello{}
	if json.Unmarshal(data, h) != nil {
		return nil, errors.New("it does not answer as a detection worker does")
	}
	return h, nil
}

// same asks whether the worker that was agreed with is still there.
func (c *client) same(ctx context.Context) error {
	h, err := c.hello(ctx)
	if err == nil && h.Process != c.process {
		err = errOther
	}
	return err
}

// errOther says that a worker was started again: what was agreed does not hold for it.
var errOther = errors.New("it is another process than before")

// exchange has a worker run over windows.
func (c *client) exchange(ctx context.Context, windows []byte) ([]byte, error) {
	return c.do(ctx, http.MethodPost, windowsPath, windows, onnx.MaxRequest)
}

func (c *client) do(ctx context.Context, method, path string, body []byte, most int64) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, errHung)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, (&url.URL{Scheme: "https", Host: c.address, Path: path}).String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set(processHeader, c.process)
	answer, err := c.http.Do(r)
	if err != nil {
		return nil, cause(ctx, err)
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusOK:
	case http.StatusUnprocessableEntity:
		return nil, onnx.ErrUnfit
	case http.StatusConflict:
		return nil, errOther
	default:
		return nil, fmt.Errorf("it answers with status %d", answer.StatusCode)
	}
	data, err := io.ReadAll(io.LimitReader(answer.Body, most+1))
	if int64(len(data)) > most {
		return nil, errors.New("its answer is too long")
	}
	return data, cause(ctx, err)
}

// errHung says that a worker did not answer.
var errHung = errors.New("it does not answer in time")

// cause says why a request failed, where that is not its own time.
func cause(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), errHung) {
		return errHung
	}
	return err
}
