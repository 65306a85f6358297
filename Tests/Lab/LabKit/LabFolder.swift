import CLinux
import Glibc
import LinuxPlatform
import Vocabulary

/// The folder with the records of this user's running labs.
public struct LabFolder: Sendable {
    /// Its path: below `/run` for root, in the runtime folder for other users.
    public let path: String

    private static let suffix = ".lab"

    /// The folder of this program's user, which is made if it is missing.
    public init() throws {
        path = Self.place
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError("mkdir", on: path) }
        var facts = stat()
        try retrying("lstat", on: path) { lstat(path, &facts) }
        // Another user could have made this folder in a place where all users may write.
        guard facts.st_uid == geteuid(), facts.st_mode & S_IFMT == S_IFDIR, facts.st_mode & 0o022 == 0 else {
            throw LabError("lab.folder", "\(path) is not ours alone", nextStep: "remove it, or set XDG_RUNTIME_DIR")
        }
    }

    private static var place: String {
        if geteuid() == 0 { return "/run/huddle-lab" }
        if let folder = ProgramLaunch.ownEnvironment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") {
            return "\(folder)/huddle-lab"
        }
        return "/tmp/huddle-lab-\(geteuid())"
    }

    /// The names of the running labs. Records of labs that have ended are removed.
    public func names() throws -> [String] {
        guard let folder = opendir(path) else { throw SystemError("opendir", on: path) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let file = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard file.hasSuffix(Self.suffix) else { continue }
            let name = String(file.dropLast(Self.suffix.count))
            if try record(name) != nil { names.append(name) }
        }
        return names.sorted()
    }

    /// Writes the record of a lab.
    ///
    /// - Throws: an error if the name is invalid or belongs to a running lab
    public func publish(_ lab: Lab, as name: String) throws {
        let file = try file(of: name)
        if try record(name) != nil { throw taken(name) }
        let fresh = "\(file).\(getpid())"
        try TextFile.replace(fresh, with: try lab.record().text)
        guard huddle_rename_without_overwriting(AT_FDCWD, fresh, AT_FDCWD, file) == 0 else {
            let error = SystemError("renameat2", on: file)
            unlink(fresh)
            throw error.number == EEXIST ? taken(name) : error
        }
    }

    /// Removes a lab's record.
    public func withdraw(_ name: String) {
        if let file = try? file(of: name) { unlink(file) }
    }

    /// A running lab of another process. It can be used, but only its owner can end it.
    public func visit(_ name: String) throws -> Lab {
        guard let record = try record(name) else { throw unknown(name) }
        return try Lab(visiting: record)
    }

    /// Asks a lab's owner to end it, and waits for the end.
    public func end(_ name: String) async throws {
        guard let record = try record(name) else { throw unknown(name) }
        let owner = try Keeper(visiting: record.owner.identifier, startedAt: record.owner.startTime)
        try retrying("pidfd_send_signal") { huddle_pidfd_send_signal(owner.descriptor.number, SIGTERM) }
        try await EventLoop.shared.withDeadline(.seconds(15), "end \(name)") {
            try await EventLoop.shared.waitUntil(.readable, owner.descriptor.number)
        }
    }

    /// The record of a lab; nil if no such lab runs. Then its old record is removed.
    private func record(_ name: String) throws -> LabRecord? {
        let file = try file(of: name)
        let text: String
        do { text = try TextFile.read(file) } catch  where error.number == ENOENT { return nil }
        if let record = LabRecord(text),
            (try? ProcessRecord(record.owner.identifier))?.startTime == record.owner.startTime
        {
            return record
        }
        unlink(file)
        return nil
    }

    private func file(of name: String) throws -> String {
        let isFit = name.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) || $0 == 45 }
        guard isFit, (1...32).contains(name.utf8.count) else {
            throw LabError(
                "lab.name",
                "a lab can't have this name",
                nextStep: "use up to 32 small letters, digits and hyphens"
            )
        }
        return "\(path)/\(name)\(Self.suffix)"
    }

    private func taken(_ name: String) -> LabError {
        LabError(
            "lab.name-taken",
            "a lab called “\(name)” runs already",
            nextStep: "choose another name with --name, or end that one with “lab down --name \(name)”"
        )
    }

    private func unknown(_ name: String) -> LabError {
        LabError(
            "lab.unknown",
            "no lab called “\(name)” runs",
            nextStep: "see “lab list”, or start one with “lab up --name \(name)”"
        )
    }
}

extension Lab {
    func record() throws -> LabRecord {
        let own = LabRecord.Process(identifier: getpid(), startTime: try ProcessRecord(getpid()).startTime)
        return LabRecord(
            privilege: privilege,
            owner: own,
            network: network.keeper.record,
            hosts: hosts.map { ($0.name, $0.keeper.record) }
        )
    }

    convenience init(visiting record: LabRecord) throws {
        let keeper = try Keeper(visiting: record.network.identifier, startedAt: record.network.startTime)
        let network = Switch(keeper: keeper, privilege: record.privilege)
        let hosts = try record.hosts.enumerated().map { index, host in
            let keeper = try Keeper(visiting: host.keeper.identifier, startedAt: host.keeper.startTime)
            return LabHost(number: index + 1, name: host.name, keeper: keeper, network: network)
        }
        self.init(hosts: hosts, network: network, privilege: record.privilege)
    }
}

extension Keeper {
    var record: LabRecord.Process { LabRecord.Process(identifier: identifier, startTime: startTime) }
}
