package import SaveRules

/// The place of a file on a device, such as `saves/Snes9x/Zelda.srm`: a folder of RetroArch, and the path in it.
package struct DevicePath: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The folders of RetroArch that Huddle syncs.
    package enum Folder: String, CaseIterable, Hashable, Sendable {
        case saves, states
    }

    package let folder: Folder
    package let path: SavePath

    package init(_ folder: Folder, _ path: SavePath) { (self.folder, self.path) = (folder, path) }

    /// Reads the parts of a path, such as those of an URL.
    /// - Returns: nil if the path is not in a folder that Huddle syncs, or leads out of it
    package init?(_ parts: some Collection<String>) {
        guard let folder = parts.first.flatMap(Folder.init), parts.count > 1,
            let path = try? SavePath(parts.dropFirst().joined(separator: "/"))
        else { return nil }
        self.init(folder, path)
    }

    /// Reads a path in the form of RetroArch's manifests. On Windows, RetroArch writes backslashes.
    package init?(_ text: String) {
        self.init(
            text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).map(String.init)
        )
    }

    package static func < (left: DevicePath, right: DevicePath) -> Bool {
        (left.folder.rawValue, left.path) < (right.folder.rawValue, right.path)
    }

    /// The path as RetroArch writes it.
    package var text: String { "\(folder.rawValue)/\(path.text)" }

    package var description: String { "\(folder.rawValue)/\(path)" }
}
