package pgwire

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
)

// talk sends messages as drivers do that know the protocol better than pgx needs, and
// tells what comes back, up to ReadyForQuery.
func talk(t *testing.T, f *pgproto3.Frontend, messages ...pgproto3.FrontendMessage) string {
	t.Helper()
	for _, m := range append(messages, &pgproto3.Sync{}) {
		f.Send(m)
	}
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for {
		msg, err := f.Receive()
		if err != nil {
			t.Fatal(err)
		}
		switch m := msg.(type) {
		case *pgproto3.ReadyForQuery:
			return strings.Join(append(got, string(m.TxStatus)), " ")
		case *pgproto3.DataRow:
			got = append(got, string(m.Values[0]))
		case *pgproto3.CommandComplete:
			got = append(got, "<"+string(m.CommandTag)+">")
		case *pgproto3.ErrorResponse:
			got = append(got, m.Code)
		case *pgproto3.PortalSuspended:
			got = append(got, "suspended")
		case *pgproto3.ParameterDescription:
			got = append(got, fmt.Sprint(m.ParameterOIDs))
		case *pgproto3.RowDescription:
			got = append(got, string(m.Fields[0].Name))
		case *pgproto3.NoData:
			got = append(got, "nothing")
		}
	}
}

// Named statements and portals, fetched in parts, as JDBC does with a fetch size.
func TestPortals(t *testing.T) {
	conn := serve(t, nil).connect(t, "")
	h, err := conn.PgConn().Hijack()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Conn.Close() })
	f := h.Frontend
	type messages = []pgproto3.FrontendMessage
	for _, step := range []struct {
		send messages
		want string
	}{
		{messages{&pgproto3.Parse{Query: "BEGIN"}, &pgproto3.Bind{}, &pgproto3.Execute{}}, "<BEGIN> T"},
		{messages{
			&pgproto3.Parse{Name: "s", Query: "select deid_note from deidentify where patient_id = any ($1) and note = $2"}, &pgproto3.Describe{ObjectType: 'S', Name: "s"},
			&pgproto3.Bind{DestinationPortal: "p", PreparedStatement: "s", Parameters: [][]byte{[]byte("{1,2,3}"), []byte("a")}}, &pgproto3.Execute{Portal: "p", MaxRows: 2},
		}, "[1009 25] deid_note 1:A 2:A suspended T"},
		{messages{&pgproto3.Execute{Portal: "p", MaxRows: 2}}, "3:A <SELECT 1> T"},
		{messages{&pgproto3.Execute{Portal: "p"}}, "<SELECT 0> T"},
		{messages{&pgproto3.Bind{DestinationPortal: "p", PreparedStatement: "s", Parameters: [][]byte{nil, nil}}}, stateDuplicateCursor + " E"},
		{messages{&pgproto3.Bind{PreparedStatement: "s", Parameters: [][]byte{nil, nil}}, &pgproto3.Execute{}}, stateFailedTx + " E"},
		{messages{&pgproto3.Parse{Query: "ROLLBACK"}, &pgproto3.Describe{ObjectType: 'S'}, &pgproto3.Bind{}, &pgproto3.Execute{}}, "[] nothing <ROLLBACK> I"},
		{messages{&pgproto3.Execute{Portal: "p"}}, stateNoCursor + " I"},
		{messages{&pgproto3.Bind{PreparedStatement: "s"}}, stateProtocol + " I"},
		{messages{&pgproto3.Bind{PreparedStatement: "none"}}, stateNoStatement + " I"},
		{messages{&pgproto3.Parse{Name: "s", Query: "select 1"}}, stateDuplicateStmt + " I"},
		{messages{&pgproto3.Close{ObjectType: 'S', Name: "s"}, &pgproto3.Close{ObjectType: 'P', Name: "none"}, &pgproto3.Parse{Name: "s", Query: ""}, &pgproto3.Bind{PreparedStatement: "s"}, &pgproto3.Execute{}}, "I"},
		{messages{&pgproto3.Parse{Query: "select 1; select 2"}}, stateSyntax + " I"},
		{messages{&pgproto3.Parse{Query: "select $1::bigint + 1"}, &pgproto3.Parse{Query: "select 1"}, &pgproto3.Execute{}}, stateSyntax + " I"},
		// Statements of one Sync go back together: the second one fails, the first one's row is gone.
		{messages{
			&pgproto3.Parse{Query: "insert into inbox (job) values ('j')"}, &pgproto3.Bind{}, &pgproto3.Execute{},
			&pgproto3.Parse{Query: "select * from detect"}, &pgproto3.Bind{}, &pgproto3.Execute{},
		}, "<INSERT 0 1> " + stateUnsupported + " I"},
		{messages{&pgproto3.Parse{Query: "select count(*) from outbox where job = 'j'"}, &pgproto3.Bind{}, &pgproto3.Execute{}}, "0 <SELECT 1> I"},
	} {
		if got := talk(t, f, step.send...); got != step.want {
			t.Errorf("got  %s\nwant %s", got, step.want)
		}
	}
}
