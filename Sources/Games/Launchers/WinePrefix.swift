/// A prefix: a folder in which Wine or Proton runs programs for Windows.
struct WinePrefix: Sendable, Hashable {
    let driveC: String
    let users: [String]

    /// Reads a folder; nil if it holds no drive C. Proton's own folder holds the prefix in `pfx`.
    init?(_ folder: String) {
        guard folder.hasPrefix("/"), folder.utf8.count < 4096 else { return nil }
        let drives = ["\(folder)/drive_c", "\(folder)/pfx/drive_c"]
        guard let drive = drives.first(where: LocalFiles.isFolder) else { return nil }
        driveC = drive
        // Proton's user comes first, then all others by name.
        let names = LocalFiles.folders("\(drive)/users", limit: 200).filter {
            $0.lowercased() != "public" && $0 != "All Users"
        }
        users = Array((names.filter { $0 == "steamuser" } + names.filter { $0 != "steamuser" }).prefix(8))
    }

    var roots: PlaceRoots { .windows(driveC: driveC, users: users) }
}
