/// The folder at a path, and the mount through which the path leads there. Together they show if a file system was
/// mounted over it, or unmounted.
public struct MountedFolder: Hashable, Sendable {
    /// The identity of the folder.
    public let identity: FileIdentity
    /// The mount's number; nil if the kernel doesn't say.
    public let mount: Int?

    /// The number of the mount that appears when this one is unmounted; nil if the kernel doesn't say.
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
    /// Returns the folder's identity, and the mount through which it was opened.
    public func mounted() throws(SystemError) -> MountedFolder {
        let facts = ProcessFiles.text("/proc/self/fdinfo/\(descriptor.number)").split(separator: "\n")
        let mount = facts.first { $0.hasPrefix("mnt_id:") }.flatMap { line in
            line.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
        }
        return MountedFolder(identity: try self.facts().identity, mount: mount)
    }

    /// True if anything is mounted in this folder or in a folder of it, or if the kernel doesn't say.
    public borrowing func hasMountsBelow() -> Bool {
        guard let current = try? currentPath() else { return true }
        // The kernel's table spells these characters as three octal digits.
        let marks = [#"\"#: #"\134"#, " ": #"\040"#, "\t": #"\011"#, "\n": #"\012"#]
        let path = current.map { marks[String($0)] ?? String($0) }.joined()
        let points = ProcessFiles.text("/proc/self/mountinfo").split(separator: "\n").compactMap { line in
            line.split(separator: " ", maxSplits: 5).dropFirst(4).first
        }
        return points.isEmpty || points.contains { $0.hasPrefix(path + "/") }
    }
}
