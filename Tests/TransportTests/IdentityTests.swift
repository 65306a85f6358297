import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Transport
import Vocabulary

@Suite("Identity", .timeLimit(.minutes(5)))
struct IdentityTests {
    let temporary = TemporaryFolder()
    var folder: String { temporary.path(of: "state") }
    var file: String { temporary.path(of: "state/identity.pem") }

    @Test("The first start makes an identity in a private file, and later starts find it")
    func firstStart() throws {
        let first = try Identity.loadOrCreate(in: folder)
        #expect(try Identity.loadOrCreate(in: folder).peerID == first.peerID)
        #expect(try Identity.load(in: folder).peerID == first.peerID)
        #expect(mode(of: folder) == 0o700)
        #expect(mode(of: file) == 0o600)
        #expect(try Folder(at: folder).entries(limit: 9).count == 1)
    }

    @Test("Missing parent folders are created")
    func deepFolder() throws {
        let deep = temporary.path(of: "a/b/c")
        let identity = try Identity.loadOrCreate(in: deep)
        #expect(try Identity.load(in: deep).peerID == identity.peerID)
        #expect(mode(of: temporary.path(of: "a")) == 0o700)
    }

    @Test("Each identity is different, and its file names neither machine nor user")
    func impersonal() throws {
        #expect(Identity.ephemeral().peerID != Identity.ephemeral().peerID)
        _ = try Identity.loadOrCreate(in: folder)
        let text = try #require(temporary.text(at: "state/identity.pem"))
        #expect(text.contains("BEGIN PRIVATE KEY") && text.contains("BEGIN CERTIFICATE"))
        #expect(text.utf8.count < 1_000)
    }

    @Test("Programs that start at once end with the same identity")
    func race() async throws {
        for round in 0..<10 {
            let folder = temporary.path(of: "race-\(round)")
            let ids = try await withThrowingTaskGroup(of: PeerID.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await runBlocking("start") { try Identity.loadOrCreate(in: folder).peerID }
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
        }
    }

    @Test("An identity that was made elsewhere is stored in a private file and found there")
    func kept() throws {
        let identity = Identity.ephemeral()
        #expect(try identity.keep(in: folder))
        #expect(try Identity.load(in: folder).peerID == identity.peerID)
        #expect(mode(of: folder) == 0o700)
        #expect(mode(of: file) == 0o600)
        // Storing it twice does no harm.
        #expect(try identity.keep(in: folder))
        #expect(try Identity.loadOrCreate(in: folder).peerID == identity.peerID)
    }

    @Test("An identity does not replace another stored one, and the call reports that")
    func keptBefore() throws {
        let first = try Identity.loadOrCreate(in: folder)
        let text = try #require(temporary.text(at: "state/identity.pem"))
        #expect(try !Identity.ephemeral().keep(in: folder))
        #expect(temporary.text(at: "state/identity.pem") == text)
        #expect(try Identity.load(in: folder).peerID == first.peerID)
    }

    @Test("An obstacle to storing an identity is reported and left unchanged")
    func notKept() throws {
        _ = try Identity.loadOrCreate(in: folder)
        try temporary.put("nonsense", at: "state/identity.pem")
        #expect(
            code {
                _ = try Identity.ephemeral().keep(in: folder)
                return .ephemeral()
            } == "identity.damaged"
        )
        #expect(temporary.text(at: "state/identity.pem") == "nonsense")
        chmod(folder, 0o755)
        #expect(
            code {
                _ = try Identity.ephemeral().keep(in: folder)
                return .ephemeral()
            } == "identity.exposed"
        )
    }

    @Test("A missing identity is reported, and loading creates none")
    func missing() throws {
        #expect(code { try Identity.load(in: folder) } == "identity.missing")
        _ = try Identity.loadOrCreate(in: folder)
        unlink(file)
        #expect(code { try Identity.load(in: folder) } == "identity.missing")
    }

    @Test(
        "A damaged file is reported and left unchanged",
        arguments: ["", "nonsense", "-----BEGIN PRIVATE KEY-----\nAAAA\n"]
    )
    func damaged(text: String) throws {
        _ = try Identity.loadOrCreate(in: folder)
        try temporary.put(text, at: "state/identity.pem")
        #expect(code { try Identity.loadOrCreate(in: folder) } == "identity.damaged")
        #expect(temporary.text(at: "state/identity.pem") == text)
    }

    @Test("A key without a certificate or with another key's certificate is damage")
    func mismatch() throws {
        _ = try Identity.loadOrCreate(in: folder)
        let other = temporary.path(of: "other")
        _ = try Identity.loadOrCreate(in: other)
        let ours = try #require(temporary.text(at: "state/identity.pem"))
        let theirs = try #require(temporary.text(at: "other/identity.pem"))
        let start = try #require(ours.firstRange(of: "-----BEGIN CERTIFICATE"))
        let theirStart = try #require(theirs.firstRange(of: "-----BEGIN CERTIFICATE"))
        let key = ours[..<start.lowerBound]
        for text in [String(key), String(key + theirs[theirStart.lowerBound...]), String(ours[start.lowerBound...])] {
            try temporary.put(text, at: "state/identity.pem")
            #expect(code { try Identity.load(in: folder) } == "identity.damaged")
        }
        try temporary.put(ours, at: "state/identity.pem")
        #expect(code { try Identity.load(in: folder) } == nil)
    }

    @Test("A file that is cut short at any place is damage, never a crash")
    func cutShort() throws {
        _ = try Identity.loadOrCreate(in: folder)
        let whole = try #require(temporary.text(at: "state/identity.pem"))
        // The last line needs no line break.
        for count in 0..<whole.utf8.count - 1 {
            try temporary.put(String(whole.prefix(count)), at: "state/identity.pem")
            #expect(code { try Identity.load(in: folder) } == "identity.damaged")
        }
    }

    @Test("A file of any size costs at most its limit in memory")
    func large() throws {
        _ = try Identity.loadOrCreate(in: folder)
        truncate(file, 1 << 30)
        #expect(code { try Identity.load(in: folder) } == "identity.damaged")
    }

    @Test("A file or folder that other users may read is refused with the command that fixes it")
    func exposed() throws {
        let id = try Identity.loadOrCreate(in: folder).peerID
        for bits in [0o640, 0o604, 0o660, 0o601] as [mode_t] {
            chmod(file, bits)
            #expect(error { try Identity.load(in: folder) }?.nextStep == "run `chmod 600 '\(file)'`")
        }
        chmod(file, 0o400)
        chmod(folder, 0o750)
        #expect(error { try Identity.load(in: folder) }?.nextStep == "run `chmod 700 '\(folder)'`")
        #expect(code { try Identity.loadOrCreate(in: folder) } == "identity.exposed")
        chmod(folder, 0o700)
        #expect(try Identity.load(in: folder).peerID == id)
    }

    @Test(
        "Another user's file or folder is refused",
        .enabled("needs the right to give files away") { geteuid() == 0 }
    )
    func foreign() throws {
        _ = try Identity.loadOrCreate(in: folder)
        chown(file, 12_345, 12_345)
        #expect(code { try Identity.load(in: folder) } == "identity.foreign")
        chown(file, 0, 0)
        chown(folder, 12_345, 12_345)
        #expect(code { try Identity.load(in: folder) } == "identity.foreign")
    }

    @Test("A link, a folder or a pipe in the file's place is refused at once")
    func otherKinds() throws {
        _ = try Identity.loadOrCreate(in: folder)
        rename(file, temporary.path(of: "elsewhere.pem"))
        symlink(temporary.path(of: "elsewhere.pem"), file)
        #expect(code { try Identity.loadOrCreate(in: folder) } == "identity.unreadable")
        unlink(file)
        mkfifo(file, 0o600)
        #expect(code { try Identity.loadOrCreate(in: folder) } == "identity.unreadable")
        unlink(file)
        mkdir(file, 0o700)
        #expect(code { try Identity.loadOrCreate(in: folder) } == "identity.unreadable")
    }

    @Test("A folder that can't be created is reported with its path")
    func noFolder() throws {
        try temporary.put("", at: "file")
        let error = error { try Identity.loadOrCreate(in: temporary.path(of: "file/state")) }
        #expect(error?.code == "identity.no-folder")
    }

    @Test(
        "A full or read-only disk is reported, and no file is left behind",
        arguments: [(.create, EROFS), (.create, EACCES), (.write, ENOSPC), (.sync, EIO), (.rename, EIO)]
            as [(ScriptedFileCalls.Call, CInt)]
    )
    func fullDisk(call: ScriptedFileCalls.Call, number: CInt) throws {
        let script = ScriptedFileCalls()
        script.refuse(call, with: number)
        let error = error { try Identity.loadOrCreate(in: folder, calls: script.calls) }
        #expect(error?.code == "identity.not-kept")
        #expect((error?.cause as? SystemError)?.number == number)
        #expect(try Folder(at: folder).entries(limit: 9).isEmpty)
        _ = try Identity.loadOrCreate(in: folder)
    }

    private func mode(of path: String) -> UInt32? { (try? FileFacts(at: path))?.mode.rawValue }

    private func error(_ body: () throws -> Identity) -> IdentityError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? IdentityError
        }
    }

    private func code(_ body: () throws -> Identity) -> ErrorCode? {
        error(body)?.code
    }
}
