/// The schema of the database, as steps from an empty file to the current form. A published step never changes; a
/// change is a further step.
///
/// Each step ends with its own number as `user_version`, because a pragma takes no bound values.
enum Schema {
    /// The mark of a huddle ledger in the header of the file: “HUDL”.
    static let applicationID: Int64 = 0x4855_444C

    static let steps: [StaticString] = [
        first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh, twelfth,
        thirteenth, fourteenth, fifteenth, sixteenth, seventeenth, eighteenth,
    ]

    /// The number of the current schema, stored in `user_version`.
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

    /// Adds save sets.
    private static let second: StaticString = """
        CREATE TABLE save_sets (
            id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
            name TEXT NOT NULL UNIQUE,
            path TEXT NOT NULL,
            ignored TEXT NOT NULL,
            local TEXT NOT NULL,
            rules TEXT,
            settle_milliseconds INTEGER NOT NULL,
            program TEXT,
            keep_count INTEGER NOT NULL,
            keep_seconds INTEGER,
            keep_bytes INTEGER,
            applied BLOB,
            used_counter INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE save_snapshots (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            save_set BLOB NOT NULL REFERENCES save_sets (id) ON DELETE CASCADE,
            id BLOB NOT NULL CHECK (length(id) = 32),
            bytes BLOB NOT NULL,
            came_at INTEGER NOT NULL,
            refusal TEXT,
            UNIQUE (save_set, id)
        ) STRICT;

        CREATE TABLE save_sharers (
            save_set BLOB NOT NULL REFERENCES save_sets (id) ON DELETE CASCADE,
            peer TEXT NOT NULL,
            PRIMARY KEY (save_set, peer)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE save_offers (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            peer TEXT NOT NULL,
            save_set BLOB NOT NULL,
            offer BLOB NOT NULL,
            came_at INTEGER NOT NULL,
            UNIQUE (peer, save_set)
        ) STRICT;

        PRAGMA user_version = 2;
        """

    /// Adds sets of chosen files.
    private static let third: StaticString = """
        ALTER TABLE save_sets ADD COLUMN chosen TEXT;

        PRAGMA user_version = 3;
        """

    /// Adds the peers that play a set. The term is the same 64 bits as a signed number.
    private static let fourth: StaticString = """
        CREATE TABLE save_leases (
            save_set BLOB NOT NULL PRIMARY KEY REFERENCES save_sets (id) ON DELETE CASCADE,
            peer TEXT NOT NULL,
            term INTEGER NOT NULL,
            played_seconds INTEGER NOT NULL,
            heard_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        PRAGMA user_version = 4;
        """

    /// Adds the mark of snapshots that miss discarded pieces.
    private static let fifth: StaticString = """
        ALTER TABLE save_snapshots ADD COLUMN is_lacking INTEGER NOT NULL DEFAULT 0;

        PRAGMA user_version = 5;
        """

    /// Adds the peers from which the user has revoked a set, no matter what other machines say.
    private static let sixth: StaticString = """
        CREATE TABLE save_withdrawals (
            save_set BLOB NOT NULL REFERENCES save_sets (id) ON DELETE CASCADE,
            peer TEXT NOT NULL,
            PRIMARY KEY (save_set, peer)
        ) STRICT, WITHOUT ROWID;

        PRAGMA user_version = 6;
        """

    /// Keeps the peers from which a set was revoked after this machine leaves the set.
    private static let seventh: StaticString = """
        CREATE TABLE save_withdrawals_now (
            save_set BLOB NOT NULL,
            peer TEXT NOT NULL,
            PRIMARY KEY (save_set, peer)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO save_withdrawals_now SELECT save_set, peer FROM save_withdrawals;
        DROP TABLE save_withdrawals;
        ALTER TABLE save_withdrawals_now RENAME TO save_withdrawals;

        PRAGMA user_version = 7;
        """

    /// Replaces the code of a waiting invitation with the side that needs it. Marks audit entries about unknown
    /// machines.
    private static let eighth: StaticString = """
        DELETE FROM invitations;
        ALTER TABLE invitations DROP COLUMN code;
        ALTER TABLE invitations ADD COLUMN code_need INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE audit ADD COLUMN is_strangers INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX audit_by_origin ON audit (is_strangers, id);

        PRAGMA user_version = 8;
        """

    /// Adds the place of a snapshot in its set, a mark for those that are here in full, the newest versions, and the
    /// amount that each peer has given. The encoding is the last column, so that reading another column does not read
    /// it.
    private static let ninth: StaticString = """
        CREATE TABLE save_snapshots_now (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            save_set BLOB NOT NULL REFERENCES save_sets (id) ON DELETE CASCADE,
            id BLOB NOT NULL CHECK (length(id) = 32),
            place INTEGER NOT NULL,
            came_at INTEGER NOT NULL,
            giver TEXT NOT NULL,
            is_held INTEGER NOT NULL DEFAULT 0,
            is_lacking INTEGER NOT NULL DEFAULT 0,
            refusal TEXT,
            bytes BLOB NOT NULL,
            UNIQUE (save_set, id),
            UNIQUE (save_set, place)
        ) STRICT;
        INSERT INTO save_snapshots_now (number, save_set, id, place, came_at, giver, is_lacking, refusal, bytes)
            SELECT number, save_set, id, row_number() OVER (PARTITION BY save_set ORDER BY number), came_at, '',
                is_lacking, refusal, bytes
            FROM save_snapshots;
        DROP TABLE save_snapshots;
        ALTER TABLE save_snapshots_now RENAME TO save_snapshots;
        CREATE INDEX save_snapshots_held ON save_snapshots (save_set, place, id, came_at) WHERE is_held = 1;
        CREATE INDEX save_snapshots_lacking ON save_snapshots (save_set, id) WHERE is_lacking = 1;
        CREATE INDEX save_snapshots_refused ON save_snapshots (save_set, id, refusal) WHERE refusal IS NOT NULL;

        ALTER TABLE save_sets ADD COLUMN heads BLOB;

        CREATE TABLE save_givers (
            peer TEXT NOT NULL PRIMARY KEY,
            snapshots INTEGER NOT NULL,
            bytes INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO save_givers SELECT '', count(*), coalesce(sum(length(bytes)), 0) FROM save_snapshots;
        CREATE TRIGGER save_snapshots_come AFTER INSERT ON save_snapshots BEGIN
            INSERT INTO save_givers (peer, snapshots, bytes) VALUES (new.giver, 1, length(new.bytes))
            ON CONFLICT (peer) DO UPDATE SET snapshots = snapshots + 1, bytes = bytes + length(new.bytes);
        END;
        CREATE TRIGGER save_snapshots_go AFTER DELETE ON save_snapshots BEGIN
            UPDATE save_givers SET snapshots = snapshots - 1, bytes = bytes - length(old.bytes) WHERE peer = old.giver;
        END;

        PRAGMA user_version = 9;
        """

    private static let tenth: StaticString = """
        ALTER TABLE peers ADD COLUMN policy_before_block TEXT;

        PRAGMA user_version = 10;
        """

    /// Adds each machine's share of the inbox. Triggers count deletions by hand, too.
    private static let eleventh: StaticString = """
        CREATE TABLE inbox_shares (
            peer TEXT NOT NULL,
            is_message INTEGER NOT NULL,
            entries INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            PRIMARY KEY (peer, is_message)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO inbox_shares
            SELECT peer, message IS NOT NULL, count(*), coalesce(sum(length(message)), 0)
            FROM inbox GROUP BY 1, 2;
        CREATE INDEX inbox_by_peer ON inbox (peer, message IS NOT NULL, id);
        CREATE TRIGGER inbox_comes AFTER INSERT ON inbox BEGIN
            INSERT INTO inbox_shares (peer, is_message, entries, bytes)
            VALUES (new.peer, new.message IS NOT NULL, 1, coalesce(length(new.message), 0))
            ON CONFLICT (peer, is_message) DO UPDATE
            SET entries = entries + 1, bytes = bytes + excluded.bytes;
        END;
        CREATE TRIGGER inbox_goes AFTER DELETE ON inbox BEGIN
            UPDATE inbox_shares
            SET entries = entries - 1, bytes = bytes - coalesce(length(old.message), 0)
            WHERE peer = old.peer AND is_message = (old.message IS NOT NULL);
            DELETE FROM inbox_shares
            WHERE peer = old.peer AND is_message = (old.message IS NOT NULL) AND entries = 0;
        END;

        PRAGMA user_version = 11;
        """

    /// Adds the newest versions that each machine last reported, and the mark of a folder that has lost its files. Adds
    /// a version's number that is the same on all machines.
    private static let twelfth: StaticString = """
        ALTER TABLE save_sharers ADD COLUMN heads BLOB;
        ALTER TABLE save_sets ADD COLUMN is_emptied INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE save_snapshots ADD COLUMN generation INTEGER;
        CREATE INDEX save_snapshots_generation ON save_snapshots (save_set, generation);

        PRAGMA user_version = 12;
        """

    /// Removes the answers to invitations: the program that holds an invitation takes them itself.
    private static let thirteenth: StaticString = """
        DROP TABLE IF EXISTS answers;

        PRAGMA user_version = 13;
        """

    /// Adds the folder of a game that this machine has left, so that joining it again needs no path.
    private static let fourteenth: StaticString = """
        ALTER TABLE save_offers ADD COLUMN folder TEXT;

        PRAGMA user_version = 14;
        """

    /// Adds the audience of a game, so that a machine that is paired later gets it.
    private static let fifteenth: StaticString = """
        ALTER TABLE save_sets ADD COLUMN audience TEXT NOT NULL DEFAULT 'chosen';

        PRAGMA user_version = 15;
        """

    /// Adds the audience of a game that this machine has left, so that joining it again keeps it.
    private static let sixteenth: StaticString = """
        ALTER TABLE save_offers ADD COLUMN audience TEXT;

        PRAGMA user_version = 16;
        """

    /// Adds the statements about machines of the household, the machines that were paired because of one, and those
    /// that a user forgot. No earlier statement may pair them again.
    private static let seventeenth: StaticString = """
        CREATE TABLE household_statements (
            voucher TEXT NOT NULL,
            subject TEXT NOT NULL,
            bytes BLOB NOT NULL,
            is_kept INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (voucher, subject)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE household_pairings (
            peer TEXT NOT NULL PRIMARY KEY,
            voucher TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE household_forgotten (
            peer TEXT NOT NULL PRIMARY KEY,
            was_mine INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        PRAGMA user_version = 17;
        """

    /// Adds the plays that were cut off, with the player's counter at that time.
    private static let eighteenth: StaticString = """
        CREATE TABLE cut_off_plays (
            save_set BLOB NOT NULL PRIMARY KEY REFERENCES save_sets (id) ON DELETE CASCADE,
            player TEXT NOT NULL,
            saved INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        PRAGMA user_version = 18;
        """
}
