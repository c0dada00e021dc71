package synth

import (
	"errors"
	"fmt"
	"strings"
)

// checker finds faults of alternatives that would only show when they are written.
type checker struct {
	*engine
	g *Grammar
}

func (c checker) alternative(a alternative) []error {
	var faults []error
	for _, w := range a.when {
		if c.conditions[w.name] == nil {
			faults = append(faults, fmt.Errorf("{?%s} is no condition", w.name))
		}
	}
	return append(faults, c.sequence(a.seq, false)...)
}

// sequence checks a sequence; within spans and arguments of functions there can be no
// spans.
func (c checker) sequence(seq sequence, within bool) []error {
	var faults []error
	add := func(errs ...error) {
		for _, err := range errs {
			if err != nil {
				faults = append(faults, err)
			}
		}
	}
	for _, n := range seq {
		switch {
		case n.ref != nil:
			add(c.reference(n.ref))
		case n.choice != nil:
			for _, a := range n.choice.alternatives {
				for _, w := range a.when {
					if c.conditions[w.name] == nil {
						add(fmt.Errorf("{?%s} is no condition", w.name))
					}
				}
				add(c.sequence(a.seq, within)...)
			}
		case n.call != nil:
			add(c.call(n.call))
			_, folds := folds[n.call.name]
			add(c.sequence(n.call.arg, within || !folds)...)
		case n.about != nil:
			for _, s := range n.about.subjects {
				if c.subjects[s.name] == nil {
					add(fmt.Errorf("{%s>} is no subject", s.name))
				}
			}
			add(c.sequence(n.about.seq, within)...)
		case n.span != nil:
			if within {
				add(fmt.Errorf("a span %s within another span or an argument", n.span.typ))
			}
			add(c.sequence(n.span.seq, true)...)
		}
	}
	return faults
}

func (c checker) reference(ref *reference) error {
	if strings.HasPrefix(ref.name, ".") {
		if c.fields[ref.name] == nil || ref.list != 0 {
			return fmt.Errorf("{%s} is no field", ref.name)
		}
		return nil
	}
	switch {
	case c.g.productions[ref.name] != nil:
		return nil
	case !c.slots[ref.name]:
		return fmt.Errorf("{%s} is neither a slot nor a production", ref.name)
	case ref.list != 0:
		return fmt.Errorf("{%s} is a slot and can't be a list", ref.name)
	}
	return nil
}

// call checks that there is such a function and, if the argument is plain text, that
// the function takes it.
func (c checker) call(call *call) error {
	if folds[call.name] != nil {
		return nil
	}
	f, ok := c.functions[call.name]
	if !ok {
		return fmt.Errorf("{%s:} is no function", call.name)
	}
	if f.check == nil {
		return nil
	}
	arg := ""
	for _, n := range call.arg {
		if n.text == "" {
			return nil
		}
		arg += n.text
	}
	if !f.check(c.engine, arg) {
		return fmt.Errorf("{%s:%s}: %w", call.name, arg, errArgument)
	}
	return nil
}

var errArgument = errors.New("the function does not take this argument")
