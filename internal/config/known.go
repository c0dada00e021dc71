package config

import (
	"slices"

	"github.com/pgdeid/pgdeid/internal/document"
	"github.com/pgdeid/pgdeid/internal/plain"
	"github.com/pgdeid/pgdeid/internal/terminology"
)

// Formats of values below a path of which those that are public stay as they are: with policy keep others are left out, with text they
// are searched, and a system that is not public is published as a pseudonym.
const (
	Code         document.Format = "code"    // of the system beside it
	System       document.Format = "system"  // of codes
	Version      document.Format = "version" // of a system
	Unit         document.Format = "unit"
	ResourceType document.Format = "resource_type"
)

// URL is the format of values below a path that say where resources are: in a bundle, with a server or without an identity.
const URL document.Format = "url"

// knownFormats lists the formats of which some values are public.
var knownFormats = []document.Format{Code, System, Version, Unit, ResourceType}

// known returns which values of the path are public, nil if that makes no difference.
func (c *Column) known() document.Known {
	switch {
	case c.Publish != Keep && c.Publish != Text:
		return nil
	case c.Format == Code:
		return isPublicCode
	case c.Format == System:
		return unchanged(terminology.IsSystem)
	case c.Format == Version:
		return unchanged(terminology.IsVersion)
	case c.Format == Unit:
		return unchanged(terminology.IsUnit)
	case c.Format == ResourceType:
		return unchanged(plain.IsResourceType)
	case c.Format == document.MediaType && c.Publish == Keep:
		return document.KnownMediaType
	}
	return nil
}

// isPublicCode reports whether a code is one of the system beside it.
func isPublicCode(code string, member func(string) string) (string, bool) {
	return code, terminology.IsCode(member("system"), code)
}

// unchanged makes what is known of values that are written as they are.
func unchanged(is func(string) bool) document.Known {
	return func(value string, _ func(string) string) (string, bool) { return value, is(value) }
}

// checkKnown refuses formats of public values with policies that don't look at these. It reports whether it has checked the format.
func (c *Column) checkKnown(n node) bool {
	switch {
	case c.Format == System && c.Publish == Pseudonym || c.Format == URL && c.Publish == Pseudonym:
		return true
	case c.Format == document.MediaType && c.Publish == Keep && c.Encoding == "":
		return true
	case c.Format == URL:
		n.fail("format: url belongs to policy pseudonym")
		return true
	case !slices.Contains(knownFormats, c.Format):
		return false
	case c.known() == nil || c.Encoding != "":
		n.fail("format: %s belongs to policies keep and text, without an encoding", c.Format)
	}
	return true
}
