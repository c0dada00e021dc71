import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.TreeSet;
import org.postgresql.PGConnection;

/** pgjdbc. */
public final class Client {
    private static final String NOTE = System.getenv("CLIENTS_NOTE");
    private static final String WANT = System.getenv("CLIENTS_WANT");
    private static final String NOTES = "select note_id, patient_id::text, note from ward.note order by note_id";
    private static final String TABLE = "select deid_note from deid.deidentify_all('ward.note') order by key::bigint";

    private final Connection conn;

    private Client(Connection conn) {
        this.conn = conn;
    }

    /** A case is a feature that a client has or has not. */
    private interface Case {
        void run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        Properties login = new Properties();
        login.setProperty("user", System.getenv("PGUSER"));
        login.setProperty("password", System.getenv("PGPASSWORD"));
        login.setProperty("sslmode", "disable");
        login.setProperty("prepareThreshold", "1");
        String place = "jdbc:postgresql://" + System.getenv("PGHOST") + ":" + System.getenv("PGPORT") + "/" + System.getenv("PGDATABASE");
        try (Connection conn = DriverManager.getConnection(place, login)) {
            Client client = new Client(conn);
            System.out.println("version pgjdbc " + conn.getMetaData().getDriverVersion());
            report("one", client::one);
            report("batch", client::batch);
            report("error", client::error);
            report("cancel", client::cancel);
            report("metadata", client::metadata);
            report("cursor", client::cursor);
            report("copy", client::copy);
            report("call", client::call);
            report("inbox", client::inbox);
        }
    }

    private static void report(String name, Case feature) {
        try {
            feature.run();
            System.out.println("pass " + name);
        } catch (Exception | AssertionError e) {
            System.out.println("fail " + name + ": " + String.valueOf(e).replaceAll("\\s+", " "));
        }
    }

    private static void require(boolean holds, Object said) {
        if (!holds) {
            throw new AssertionError(said);
        }
    }

    private static void thousand(List<String> texts) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (String text : texts) {
            digest.update((text + "\n").getBytes(StandardCharsets.UTF_8));
        }
        String hex = HexFormat.of().formatHex(digest.digest());
        require(hex.equals(System.getenv("CLIENTS_DIGEST")), texts.size() + " texts, but not those of the engine");
    }

    private static List<String> column(ResultSet rows, int number) throws SQLException {
        List<String> texts = new ArrayList<>();
        while (rows.next()) {
            texts.add(rows.getString(number));
        }
        return texts;
    }

    private void one() throws SQLException {
        try (PreparedStatement ask = conn.prepareStatement("select deid.deidentify(?, ?)")) {
            ask.setLong(1, 1);
            ask.setString(2, NOTE);
            for (int i = 0; i < 3; i++) { // from the second on by name, in binary
                ResultSet rows = ask.executeQuery();
                require(rows.next() && rows.getString(1).equals(WANT), "another text");
            }
        }
    }

    private void batch() throws Exception {
        List<String> patients = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        try (Statement read = conn.createStatement(); ResultSet rows = read.executeQuery(NOTES)) {
            while (rows.next()) {
                patients.add(rows.getString(2));
                notes.add(rows.getString(3));
            }
        }
        try (PreparedStatement ask = conn.prepareStatement("select deid_notes from deid.deidentify_batch(?, ?)")) {
            ask.setArray(1, conn.createArrayOf("text", patients.toArray()));
            ask.setArray(2, conn.createArrayOf("text", notes.toArray()));
            ResultSet rows = ask.executeQuery();
            require(rows.next(), "no row");
            thousand(List.of((String[]) rows.getArray(1).getArray()));
        }
    }

    private void refused(String state, String query) throws SQLException {
        try (Statement ask = conn.createStatement()) {
            ask.executeQuery(query);
        } catch (SQLException e) {
            require(state.equals(e.getSQLState()), e);
            require(!e.getMessage().contains("Brackenmark"), "the error quotes the note");
            return;
        }
        throw new AssertionError("no error, not " + state);
    }

    private void error() throws SQLException {
        refused("2202E", "select deid.deidentify_batch('{1,2}', '{a}')");
        refused("PD001", "select deid.deidentify('999999', 'for Brackenmark')");
        one();
    }

    private void cancel() throws Exception {
        Timer timer = new Timer();
        try (Statement slow = conn.createStatement()) {
            timer.schedule(new TimerTask() {
                @Override
                public void run() {
                    try {
                        slow.cancel();
                    } catch (SQLException e) {
                        System.err.println(e);
                    }
                }
            }, 2000);
            slow.executeQuery(System.getenv("CLIENTS_SLOW"));
            throw new AssertionError("it was not cancelled");
        } catch (SQLException e) {
            require("57014".equals(e.getSQLState()) && e.getMessage().contains("user request"), e);
        } finally {
            timer.cancel();
        }
        one();
    }

    private void metadata() throws SQLException {
        DatabaseMetaData about = conn.getMetaData();
        Set<String> views = new TreeSet<>(column(about.getTables(null, "deid", "%", new String[] {"VIEW"}), 3));
        require(views.containsAll(Set.of("deidentify", "inbox", "outbox")), views);
        Set<String> foreign = new TreeSet<>(column(about.getTables(null, "deid\\_engine", "%", new String[] {"FOREIGN TABLE"}), 3));
        require(foreign.contains("deidentify"), foreign);
        List<String> columns = column(about.getColumns(null, "deid", "deidentify", "%"), 4);
        require(columns.equals(List.of("patient_id", "note", "deid_note", "reason")), columns);
        Set<String> functions = new TreeSet<>(column(about.getFunctions(null, "deid", "%"), 3));
        require(functions.containsAll(Set.of("deidentify", "deidentify_batch", "preview", "pull")), functions);
        Set<String> procedures = new TreeSet<>(column(about.getProcedures(null, "deid", "%"), 3));
        require(procedures.contains("deidentify_into"), procedures);
        require(column(about.getPrimaryKeys(null, "ward", "note"), 4).equals(List.of("note_id")), "primary key");
    }

    /** Rows come in parts within a transaction. */
    private void cursor() throws Exception {
        conn.setAutoCommit(false);
        try (Statement ask = conn.createStatement()) {
            ask.setFetchSize(100);
            thousand(column(ask.executeQuery(TABLE), 1));
        } finally {
            conn.rollback();
            conn.setAutoCommit(true);
        }
    }

    private void copy() throws Exception {
        StringWriter out = new StringWriter();
        conn.unwrap(PGConnection.class).getCopyAPI().copyOut("copy (" + TABLE + ") to stdout", out);
        List<String> texts = new ArrayList<>();
        for (String line : out.toString().split("\n")) { // no text has any other escape
            texts.add(line.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace("\0", "\\"));
        }
        thousand(texts);
    }

    /** JDBC's own syntax for functions, and a procedure that commits. */
    private void call() throws Exception {
        try (CallableStatement ask = conn.prepareCall("{? = call deid.deidentify(?, ?)}")) {
            ask.registerOutParameter(1, Types.VARCHAR);
            ask.setString(2, "1");
            ask.setString(3, NOTE);
            ask.execute();
            require(WANT.equals(ask.getString(1)), "another text");
        }
        try (Statement ask = conn.createStatement()) {
            ask.execute("drop table if exists ward.clean");
            ask.execute("create table ward.clean (note_id bigint primary key, deid_note text, reason text)");
            ask.execute("call deid.deidentify_into('ward.note', 'ward.clean')");
            thousand(column(ask.executeQuery("select deid_note from ward.clean order by note_id"), 1));
        }
    }

    private void inbox() throws Exception {
        String insert = "insert into deid.inbox (job, item, patient_id, note) values ('job', ?, ?, ?)";
        conn.setAutoCommit(false);
        try (Statement read = conn.createStatement(); PreparedStatement put = conn.prepareStatement(insert)) {
            ResultSet rows = read.executeQuery(NOTES);
            while (rows.next()) {
                put.setLong(1, rows.getLong(1));
                put.setString(2, rows.getString(2));
                put.setString(3, rows.getString(3));
                put.addBatch();
            }
            put.executeBatch();
            thousand(column(read.executeQuery("select deid_note from deid.outbox where job = 'job' order by item"), 1));
        } finally {
            conn.rollback();
            conn.setAutoCommit(true);
        }
    }
}
