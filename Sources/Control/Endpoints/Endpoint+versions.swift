/// The endpoints about versions of games.
extension Endpoint {
    static let aboutVersions: [Endpoint] = [
        .versions, .scanGame, .version, .versionFile, .exportVersion, .importVersion, .restoreVersion, .differences,
        .conflicts, .resolveConflict, .history, .checkHistory, .cleanHistory,
    ]

    package static let versions = Endpoint(
        .get,
        "/v1/saves/{set}/versions",
        "the known versions of a game, also deleted ones"
    )
    package static let scanGame = Endpoint(.post, "/v1/saves/{set}/versions", "scan the folder now")
    package static let version = Endpoint(.get, "/v1/saves/{set}/versions/{version}", "one version, with its files")
    package static let versionFile = Endpoint(
        .get,
        "/v1/saves/{set}/versions/{version}/file",
        "the bytes of one file of a version"
    )
    package static let exportVersion = Endpoint(
        .get,
        "/v1/saves/{set}/versions/{version}/archive",
        "a version as a tar archive"
    )
    package static let importVersion = Endpoint(
        .post,
        "/v1/saves/{set}/import",
        "make a new version of an unpacked archive"
    )
    package static let restoreVersion = Endpoint(.post, "/v1/saves/{set}/restore", "make an old version the newest")
    package static let differences = Endpoint(
        .get,
        "/v1/saves/{set}/differences",
        "the differences between two versions"
    )
    package static let conflicts = Endpoint(.get, "/v1/conflicts", "the games in a conflict")
    package static let resolveConflict = Endpoint(.post, "/v1/saves/{set}/resolve", "end a conflict")
    package static let history = Endpoint(.get, "/v1/history", "the space of all versions on the disk")
    package static let checkHistory = Endpoint(.post, "/v1/history/check", "read the whole history, and report damage")
    package static let cleanHistory = Endpoint(.post, "/v1/history/clean", "delete unused data")
}
