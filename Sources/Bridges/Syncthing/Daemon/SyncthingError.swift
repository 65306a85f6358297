package import Vocabulary

/// Why something about devices with Syncthing can't be done.
package struct SyncthingError: ExplainedError, Hashable {
    package let code: ErrorCode
    package let message: String
    package let nextStep: String

    package static func badID(_ typed: String) -> SyncthingError {
        SyncthingError(
            code: ErrorCode(.notFound, "syncthing.bad-id"),
            message: "“\(PrintableText(typed, limit: 80))” is no device id",
            nextStep: "copy it from Syncthing on the device: Actions, Show ID; it has 56 letters and digits"
        )
    }

    static let ownID = SyncthingError(
        code: ErrorCode(.invalid, "syncthing.own-id"),
        message: "this is the id of this machine",
        nextStep: "copy the id of the other device from Syncthing there: Actions, Show ID"
    )

    static func unknown(_ typed: String) -> SyncthingError {
        SyncthingError(
            code: ErrorCode(.notFound, "syncthing.unknown-device"),
            message: "no device “\(PrintableText(typed, limit: 80))” is paired",
            nextStep: "`huddle syncthing devices` lists them; `huddle syncthing pair DEVICE-ID` pairs another one"
        )
    }

    static func unknownGame(_ typed: String) -> SyncthingError {
        SyncthingError(
            code: ErrorCode(.notFound, "syncthing.unknown-game"),
            message: "no game “\(PrintableText(typed, limit: 64))” is shared on this machine",
            nextStep: "`huddle list` shows the shared games"
        )
    }

    static func notShared(_ game: String, _ device: DeviceName) -> SyncthingError {
        SyncthingError(
            code: ErrorCode(.notFound, "syncthing.not-shared"),
            message: "\(PrintableText(game, limit: 64)) is not shared with \(device)",
            nextStep: "share it: huddle share \(PrintableText(game, limit: 64)) --syncthing \(device)"
        )
    }

    static func notOffered(_ typed: String) -> SyncthingError {
        SyncthingError(
            code: ErrorCode(.notFound, "syncthing.not-offered"),
            message: "no paired device offers a folder “\(PrintableText(typed, limit: 64))” now",
            nextStep: "share it with this machine in Syncthing; `huddle syncthing devices` then lists it"
        )
    }

    static func alreadyShared(_ game: String, _ device: DeviceName) -> SyncthingError {
        SyncthingError(
            code: "syncthing.already-shared",
            message: "\(PrintableText(game, limit: 64)), or this folder, is shared with \(device) already",
            nextStep: "`huddle syncthing devices` shows it; `huddle syncthing unshare` ends it"
        )
    }

    static func notEmptied(_ game: String, _ device: DeviceName) -> SyncthingError {
        SyncthingError(
            code: "syncthing.not-emptied",
            message: "\(device) has not deleted all files of \(PrintableText(game, limit: 64))",
            nextStep: "`huddle syncthing devices` shows the state of each game"
        )
    }

    static func portTaken(_ port: UInt16) -> SyncthingError {
        SyncthingError(
            code: "syncthing.port-taken",
            message: "another program of this machine has port \(port), perhaps Syncthing itself",
            nextStep: "choose another one: huddle syncthing pair DEVICE-ID --port \(port < .max ? port + 1 : 22_001)"
        )
    }

    package static func badAddress(_ typed: String) -> SyncthingError {
        SyncthingError(
            code: ErrorCode(.notFound, "syncthing.bad-address"),
            message: "“\(PrintableText(typed, limit: 80))” is no address of a device",
            nextStep: "type an IP address or a name, with a port if it is not 22000: 192.168.1.20:22001"
        )
    }

    package static let badName = SyncthingError(
        code: ErrorCode(.invalid, "syncthing.bad-name"),
        message: "a device's name has 1 to \(DeviceName.maximumByteCount) letters, digits, hyphens or underscores",
        nextStep: "choose a name such as “pc”"
    )

    static func nameTaken(_ name: DeviceName) -> SyncthingError {
        SyncthingError(
            code: "syncthing.name-taken",
            message: "another device has the name “\(name)”",
            nextStep: "choose another name with --name"
        )
    }

    static let tooMany = SyncthingError(
        code: "syncthing.too-many",
        message: "there are \(SyncthingSettings.mostDevices) devices already, which is the limit",
        nextStep: "forget one with `huddle syncthing forget`"
    )

    static let tooManyFiles = SyncthingError(
        code: "syncthing.too-many-files",
        message: "the game has more files than Huddle shares with Syncthing",
        nextStep: "stop it with `huddle syncthing unshare`, or ignore files that are no saves"
    )

    static let diskFull = SyncthingError(
        code: "syncthing.disk-full",
        message: "the disk of this machine is almost full",
        nextStep: "free some space; the device's files are then fetched again"
    )

    static let missingBlock = SyncthingError(
        code: "syncthing.missing-block",
        message: "a part of a file is missing here",
        nextStep: "wait: it is fetched again"
    )

    static let notStored = SyncthingError(
        code: "syncthing.not-stored",
        message: "the device's files could not become a version",
        nextStep: "wait: it is tried again"
    )
}
