/// What the database looks like: the steps that lead from an empty file to today, in order. A step that has been published
/// never changes; what is to be different comes as a further one.
///
/// Each step ends with its own number as `user_version`, for a pragma takes no values but those of its text.
enum Schema {
    /// Marks a file as a ledger of huddle, in the header of the file: “HUDL”.
    static let applicationID: Int64 = 0x4855_444C

    static let steps: [StaticString] = [first]

    /// The number of today's form, kept in `user_version`.
    static var version: Int64 { Int64(steps.count) }

    private static let first: StaticString = """
        PRAGMA application_id = 0x4855444C;

        CREATE TABLE peers (
            id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 52 AND id NOT GLOB '*[^a-z2-7]*'),
            name TEXT COLLATE NOCASE,
            pinned_since INTEGER,
            policy TEXT,
            permissions INTEGER NOT NULL,
            last_seen INTEGER,
            addresses TEXT NOT NULL,
            note TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX peers_by_name ON peers (name);

        CREATE TABLE settings (
            word TEXT NOT NULL PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE counters (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            scope TEXT NOT NULL UNIQUE,
            count INTEGER NOT NULL,
            locked_until INTEGER
        ) STRICT;

        CREATE TABLE invitations (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            peer TEXT NOT NULL,
            name TEXT,
            session BLOB NOT NULL,
            session_name TEXT NOT NULL,
            context BLOB NOT NULL,
            code TEXT,
            came_at INTEGER NOT NULL,
            patience_until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE answers (
            invitation BLOB NOT NULL PRIMARY KEY REFERENCES invitations (id) ON DELETE CASCADE,
            verdict TEXT NOT NULL,
            typed_code TEXT
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE inbox (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            peer TEXT NOT NULL,
            peer_name TEXT,
            name TEXT,
            path TEXT,
            message BLOB,
            size INTEGER NOT NULL,
            came_at INTEGER NOT NULL,
            is_looked_at INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        CREATE TABLE audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            time INTEGER NOT NULL,
            peer TEXT,
            event TEXT NOT NULL,
            details TEXT NOT NULL
        ) STRICT;

        PRAGMA user_version = 1;
        """
}
