/// The endpoints about devices with RetroArch or Syncthing.
extension Endpoint {
    static let aboutBridges: [Endpoint] = [
        .retroArch, .turnOnRetroArch, .turnOffRetroArch, .retroArchDevices, .addRetroArchDevice, .forgetRetroArchDevice,
        .blockRetroArchDevice, .unblockRetroArchDevice, .retroArchFiles, .syncthing, .syncthingDevices,
        .syncthingDevice, .pairSyncthingDevice, .forgetSyncthingDevice, .blockSyncthingDevice, .unblockSyncthingDevice,
        .shareWithSyncthingDevice, .stopSharingWithSyncthingDevice, .resendToSyncthingDevice, .acceptSyncthingFolder,
    ]

    package static let retroArch = Endpoint(
        .get,
        "/v1/retroarch",
        "show whether devices with RetroArch can sync, and at which address"
    )
    package static let turnOnRetroArch = Endpoint(.put, "/v1/retroarch", "let devices with RetroArch sync")
    package static let turnOffRetroArch = Endpoint(.delete, "/v1/retroarch", "let no device with RetroArch sync")
    package static let retroArchDevices = Endpoint(.get, "/v1/retroarch/devices", "list the devices with RetroArch")
    package static let addRetroArchDevice = Endpoint(
        .post,
        "/v1/retroarch/devices/{device}",
        "add a device, and make its password"
    )
    package static let forgetRetroArchDevice = Endpoint(.delete, "/v1/retroarch/devices/{device}", "forget a device")
    package static let blockRetroArchDevice = Endpoint(
        .put,
        "/v1/retroarch/devices/{device}/block",
        "stop responding to a device"
    )
    package static let unblockRetroArchDevice = Endpoint(
        .delete,
        "/v1/retroarch/devices/{device}/block",
        "respond to a device again"
    )
    package static let retroArchFiles = Endpoint(
        .get,
        "/v1/retroarch/devices/{device}/files",
        "list the files that a device will see"
    )
    package static let syncthing = Endpoint(.get, "/v1/syncthing", "show this machine's id for devices with Syncthing")
    package static let syncthingDevices = Endpoint(.get, "/v1/syncthing/devices", "list the devices with Syncthing")
    package static let syncthingDevice = Endpoint(
        .get,
        "/v1/syncthing/devices/{device}",
        "show a device with Syncthing"
    )
    package static let pairSyncthingDevice = Endpoint(.put, "/v1/syncthing/devices/{device}", "pair a device by its id")
    package static let forgetSyncthingDevice = Endpoint(
        .delete,
        "/v1/syncthing/devices/{device}",
        "forget a device with Syncthing"
    )
    package static let blockSyncthingDevice = Endpoint(
        .put,
        "/v1/syncthing/devices/{device}/block",
        "stop responding to a device"
    )
    package static let unblockSyncthingDevice = Endpoint(
        .delete,
        "/v1/syncthing/devices/{device}/block",
        "respond to a device again"
    )
    package static let shareWithSyncthingDevice = Endpoint(
        .put,
        "/v1/syncthing/devices/{device}/games/{game}",
        "share a game with a device"
    )
    package static let stopSharingWithSyncthingDevice = Endpoint(
        .delete,
        "/v1/syncthing/devices/{device}/games/{game}",
        "end sharing a game with a device"
    )
    package static let resendToSyncthingDevice = Endpoint(
        .post,
        "/v1/syncthing/devices/{device}/games/{game}/resend",
        "send the saves again"
    )
    package static let acceptSyncthingFolder = Endpoint(
        .put,
        "/v1/syncthing/folders/{folder}",
        "share a game as a folder that a device offers"
    )
}
