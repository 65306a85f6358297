/// The folders of all bases, for one game on this machine.
package struct PlaceRoots: Sendable, Hashable {
    package let kind: PlaceKind
    /// The folders of each base; several if it has several spellings, such as `Documents` and `My Documents`.
    package var folders: [PlaceBase: [String]]
    /// True if names below the folders ignore case, as for programs for Windows.
    package var ignoresCase: Bool { kind == .windows }

    package init(_ kind: PlaceKind, _ folders: [PlaceBase: [String]]) {
        (self.kind, self.folders) = (kind, folders)
    }

    /// The folders that a program for Linux sees.
    static func native(home: String, configuration: [String], data: [String]) -> PlaceRoots {
        PlaceRoots(.native, [.home: [home], .xdgConfig: configuration, .xdgData: data])
    }

    /// The folders that a program for Windows sees below the folder of its drive C.
    ///
    /// - Parameter users: the names of the Windows users there
    static func windows(driveC: String, users: [String]) -> PlaceRoots {
        let homes = users.map { "\(driveC)/users/\($0)" }
        func below(_ tails: String...) -> [String] { homes.flatMap { home in tails.map { "\(home)/\($0)" } } }
        return PlaceRoots(
            .windows,
            [
                .winHome: homes, .winDocuments: below("Documents", "My Documents"),
                .winAppData: below("AppData/Roaming", "Application Data"),
                .winLocalAppData: below("AppData/Local", "Local Settings/Application Data"),
                .winLocalAppDataLow: below("AppData/LocalLow"), .winSavedGames: below("Saved Games"),
                .winPublic: ["\(driveC)/users/Public"], .winProgramData: ["\(driveC)/ProgramData"],
                .winDrive: [driveC],
            ]
        )
    }
}
