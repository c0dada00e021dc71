package eval

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"image/color"
	"image/png"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// browser returns the path of a Chromium, or skips the test.
func browser(t *testing.T) string {
	t.Helper()
	if name := os.Getenv("PGDEID_BROWSER"); name != "" {
		return name
	}
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no browser: install chromium-headless-shell, or name a Chromium in PGDEID_BROWSER")
	return ""
}

// trap is a proxy that records a browser's requests and answers none.
type trap struct {
	listener net.Listener
	mu       sync.Mutex
	hosts    []string
}

func newTrap(t *testing.T) *trap {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &trap{listener: l}
	var done sync.WaitGroup
	done.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			done.Go(func() { p.note(c) })
		}
	})
	t.Cleanup(func() { l.Close(); done.Wait() })
	return p
}

func (p *trap) note(c net.Conn) {
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		return
	}
	request, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return
	}
	p.mu.Lock()
	p.hosts = append(p.hosts, request.Host)
	p.mu.Unlock()
	fmt.Fprint(c, "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}

// show opens a page and returns the hosts that it requested and its number of pixels by colour.
func show(t *testing.T, program, page string, flags ...string) (hosts []string, pixels map[color.RGBA]int) {
	t.Helper()
	dir := t.TempDir()
	file, shot := filepath.Join(dir, "page.html"), filepath.Join(dir, "shot.png")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newTrap(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-quic", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-extensions", "--hide-scrollbars", "--user-data-dir=" +
			filepath.Join(dir, "profile"),
		"--proxy-server=http://" + p.listener.Addr().String(), "--window-size=1400,5000", "--screenshot=" + shot,
	}, flags...)
	said, err := exec.CommandContext(ctx, program, append(args, "file://"+file)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, said)
	}
	raw, err := os.ReadFile(shot)
	if err != nil {
		t.Fatalf("no screenshot: %v\n%s", err, said)
	}
	picture, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	pixels = map[color.RGBA]int{}
	for y := picture.Bounds().Min.Y; y < picture.Bounds().Max.Y; y++ {
		for x := picture.Bounds().Min.X; x < picture.Bounds().Max.X; x++ {
			r, g, b, _ := picture.At(x, y).RGBA()
			pixels[color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}]++
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hosts, pixels
}

// TestReportInABrowser opens the report in a real browser: its charts are drawn in light and dark
// mode, and it makes no request, not even with an injected reference.
func TestReportInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser five times")
	}
	program := browser(t)
	var page strings.Builder
	if err := runOf(t, 40, 2, 3, 5).WriteHTML(&page, "notes", 0); err != nil {
		t.Fatal(err)
	}
	const lure = `<img src="http://outside.example/pixel.png" alt="">`
	own, _ := show(t, program, "<!doctype html><title>empty</title>")
	if caught, _ := show(t, program, "<!doctype html><title>lure</title>"+lure); !slices.Contains(caught, "outside.example") {
		t.Fatalf("the trap does not catch a request: %v", caught)
	}
	quiet := func(what string, hosts []string) {
		t.Helper()
		for _, host := range hosts {
			if !slices.Contains(own, host) {
				t.Errorf("%s asks %s", what, host)
			}
		}
	}
	hosts, light := show(t, program, page.String())
	quiet("the report", hosts)
	hosts, _ = show(t, program, strings.Replace(page.String(), "</body>", lure+"</body>", 1))
	quiet("the report with a reference in it", hosts)
	hosts, dark := show(t, program, page.String(), "--blink-settings=preferredColorScheme=0")
	quiet("the report on dark ground", hosts)
	for name, tt := range map[string]struct {
		pixels       map[color.RGBA]int
		ground, a, b color.RGBA
	}{
		"light": {light, color.RGBA{0xff, 0xff, 0xff, 255}, color.RGBA{0x0a, 0x6e, 0xa8, 255}, color.RGBA{0xb4, 0x53, 0x0a, 255}},
		"dark":  {dark, color.RGBA{0x14, 0x18, 0x1b, 255}, color.RGBA{0x6b, 0xbd, 0xf0, 255}, color.RGBA{0xf2, 0xa2, 0x5c, 255}},
	} {
		if tt.pixels[tt.ground] < 1000000 || tt.pixels[tt.a] < 500 || tt.pixels[tt.b] < 100 {
			t.Errorf("%s: %d pixels of the ground, %d of discs and columns, %d of squares", name, tt.pixels[tt.ground], tt.pixels[tt.a],
				tt.pixels[tt.b])
		}
	}
}
