// Package browsertest drives a real browser in tests of the review station.
package browsertest

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience bounds what a browser does in one test, on a busy machine.
const patience = 3 * time.Minute

// Tab is a tab of a browser of its own.
type Tab struct {
	t   testing.TB
	dir string          // what the browser keeps
	ctx context.Context //nolint:containedctx // chromedp's handle of the tab
}

// Open opens a tab of a new Chromium, or skips the test where there is none.
func Open(t testing.TB, width, height int64) *Tab {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	program := os.Getenv("PGDEID_BROWSER")
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && program == "" {
			program = path
		}
	}
	if program == "" {
		t.Skip("no browser: install chromium-headless-shell, or name a Chromium in PGDEID_BROWSER")
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	dir := t.TempDir()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.UserDataDir(dir))
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &Tab{t, dir, ctx}
	b.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) { // newer ones give a window without a screen no focus
		_, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		return chromedp.Void{}, err
	})
	b.Size(width, height)
	return b
}

func (b *Tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// Size makes the window as large.
func (b *Tab) Size(width, height int64) { b.t.Helper(); b.do(chromedp.EmulateViewport(width, height)) }

// Phone makes the window a telephone's, with touch.
func (b *Tab) Phone() {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile, chromedp.EmulateTouch))
}

// Scheme makes the person prefer light or dark.
func (b *Tab) Scheme(name string) {
	b.t.Helper()
	b.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
		})
		return chromedp.Void{}, err
	})
}

// Go opens an address and waits for what a selector finds.
func (b *Tab) Go(address, selector string) {
	b.t.Helper()
	b.do(chromedp.Navigate(address), chromedp.WaitVisible(chromedp.CSS(selector)))
}

// Wait waits until what a selector finds is seen.
func (b *Tab) Wait(selector string) { b.t.Helper(); b.do(chromedp.WaitVisible(chromedp.CSS(selector))) }

// Click presses what a selector finds, by mouse.
func (b *Tab) Click(selector string) { b.t.Helper(); b.do(chromedp.Click(chromedp.CSS(selector))) }

// Tap presses what a selector finds with a finger.
func (b *Tab) Tap(selector string) { b.t.Helper(); b.do(chromedp.Tap(chromedp.CSS(selector))) }

// Drag presses the mouse on one thing and lets go on another.
func (b *Tab) Drag(from, to string) {
	b.t.Helper()
	b.do(chromedp.DragAndDrop(chromedp.CSS(from), chromedp.CSS(to)))
}

// Focus goes to what a selector finds.
func (b *Tab) Focus(selector string) { b.t.Helper(); b.do(chromedp.Focus(chromedp.CSS(selector))) }

// Names of keys for Press, beside characters.
const (
	Tabulator = kb.Tab
	Enter     = kb.Enter
	Right     = kb.ArrowRight
	Left      = kb.ArrowLeft
	Home      = kb.Home
)

// Press presses keys one after the other; a text of several characters is typed.
func (b *Tab) Press(keys ...string) {
	b.t.Helper()
	for _, k := range keys {
		if len(k) == 1 && k > " " {
			b.do(letter(k, input.DispatchKeyEventTypeKeyDown), letter(k, input.DispatchKeyEventTypeKeyUp))
			continue
		}
		b.do(chromedp.KeyEvent(k))
	}
}

// letter presses or lets go of a key with a character as a keyboard does: where a page takes the key as its own, nothing
// is typed.
func letter(k string, what input.DispatchKeyEventType) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		p := input.DispatchKeyEventParams{Type: what, Key: k, WindowsVirtualKeyCode: int64(strings.ToUpper(k)[0])}
		if what == input.DispatchKeyEventTypeKeyDown {
			p.Text, p.UnmodifiedText = k, k
		}
		_, err := chromedp.Call(ctx, input.DispatchKeyEvent, p)
		return chromedp.Void{}, err
	}
}

// Shift presses a key with the shift key held.
func (b *Tab) Shift(key string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(kb.ModifierShift)))
}

// Eval returns the value of an expression of JavaScript, whose promise is kept before.
func Eval[T any](b *Tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression[:min(len(expression), 80)], err)
	}
	return v
}

// Until waits until an expression of JavaScript is true.
func (b *Tab) Until(expression string) {
	b.t.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Poll[bool](expression)); err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
}

// Text returns the text of what a selector finds.
func (b *Tab) Text(selector string) string {
	b.t.Helper()
	s, err := chromedp.Run(b.ctx, chromedp.TextContent(chromedp.CSS(selector)))
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

// Picture stores what the window shows where PGDEID_PICTURES names a folder.
func (b *Tab) Picture(name string) {
	b.t.Helper()
	dir := os.Getenv("PGDEID_PICTURES")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// Axe returns what axe-core has against the page: rules, with the elements that break them.
func (b *Tab) Axe(script string) []string {
	b.t.Helper()
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) { // axe-core is no script of the page
		_, err := chromedp.Call(ctx, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true})
		return chromedp.Void{}, err
	}, chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("main")))
	Eval[bool](b, script+"; true")
	found := Eval[string](b, `axe.run({resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations.map(v =>
		v.id + ": " + v.nodes.map(n => n.html.slice(0, 160) + " " + n.failureSummary).join("; "))))`)
	var list []string
	if err := json.Unmarshal([]byte(found), &list); err != nil {
		b.t.Fatal(err)
	}
	return list
}

// Kept closes the browser and returns how many files of its profile have each of the texts, plain or in UTF-16.
func (b *Tab) Kept(texts ...string) map[string]int {
	b.t.Helper()
	if err := chromedp.Cancel(b.ctx); err != nil {
		b.t.Fatal(err)
	}
	files := map[string]int{}
	err := filepath.WalkDir(b.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path) //nolint:gosec // the folder is of the test alone
		for _, text := range texts {
			if bytes.Contains(data, []byte(text)) || bytes.Contains(data, []byte(strings.Join(strings.Split(text, ""), "\x00"))) {
				files[text]++
			}
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return files
}

// AxeScript returns axe-core, or skips the test where PGDEID_AXE does not name it.
func AxeScript(t testing.TB) string {
	t.Helper()
	path := os.Getenv("PGDEID_AXE")
	if path == "" {
		t.Skip("PGDEID_AXE does not name axe.min.js: 'make test-browser' gets it")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(data))
}
