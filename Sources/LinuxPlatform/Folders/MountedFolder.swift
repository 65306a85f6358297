/// Which folder stands at a path, and through which mount the path leads there: what tells whether something was mounted over it, or
/// taken away from it.
public struct MountedFolder: Hashable, Sendable {
    /// Which folder it is.
    public let identity: FileIdentity
    /// The mount's number; nil where the kernel doesn't say.
    public let mount: Int?

    /// The number of the mount that lies bare where this one is taken away; nil where the kernel doesn't say.
    public var mountBelow: Int? {
        guard let mount else { return nil }
        for line in ProcessFiles.text("/proc/self/mountinfo").split(separator: "\n") {
            let numbers = line.split(separator: " ", maxSplits: 2).prefix(2).compactMap { Int($0) }
            if numbers.count == 2, numbers[0] == mount { return numbers[1] }
        }
        return nil
    }
}

extension Folder {
    /// Which folder it is, and through which mount it was opened.
    public func mounted() throws(SystemError) -> MountedFolder {
        let facts = ProcessFiles.text("/proc/self/fdinfo/\(descriptor.number)").split(separator: "\n")
        let mount = facts.first { $0.hasPrefix("mnt_id:") }.flatMap { line in
            line.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
        }
        return MountedFolder(identity: try self.facts().identity, mount: mount)
    }
}
