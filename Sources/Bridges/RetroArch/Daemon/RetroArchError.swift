package import Vocabulary

/// Why a setting of the RetroArch bridge can't be changed.
package struct RetroArchError: ExplainedError, Hashable {
    package let code: ErrorCode
    package let message: String
    package let nextStep: String

    static func known(_ name: DeviceName) -> RetroArchError {
        RetroArchError(
            code: "retroarch.known-device",
            message: "there is a device “\(name)” already",
            nextStep: "choose another name, or remove it first: huddle retroarch remove \(name)"
        )
    }

    package static func unknown(_ typed: String) -> RetroArchError {
        RetroArchError(
            code: ErrorCode(.notFound, "retroarch.unknown-device"),
            message: "there is no device “\(PrintableText(typed, limit: 64))”",
            nextStep: "`huddle retroarch devices` lists them"
        )
    }

    static let tooMany = RetroArchError(
        code: "retroarch.too-many",
        message: "there are \(RetroArchSettings.mostDevices) devices already, which is the limit",
        nextStep: "remove one with `huddle retroarch remove`"
    )

    static let noGame = RetroArchError(
        code: "retroarch.no-game",
        message: "no game is shared that RetroArch's saves could belong to",
        nextStep: "share RetroArch's folder of saves first: `huddle games` lists it; or name a game with --saves"
    )

    static func unknownGame(_ typed: String) -> RetroArchError {
        RetroArchError(
            code: ErrorCode(.notFound, "retroarch.unknown-game"),
            message: "no game “\(PrintableText(typed, limit: 64))” is shared on this machine",
            nextStep: "`huddle list` shows the shared games"
        )
    }

    package static let badName = RetroArchError(
        code: ErrorCode(.invalid, "retroarch.bad-name"),
        message: "a device's name has 1 to \(DeviceName.maximumByteCount) letters, digits, hyphens or underscores",
        nextStep: "choose a name such as “phone”"
    )
}
