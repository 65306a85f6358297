/// The endpoints about what goes to other machines.
extension Endpoint {
    static let aboutTransfers: [Endpoint] = [
        .sendMessage, .sendFiles, .sendSave, .measureSpeed, .openStream, .nextStream, .readStream, .writeStream,
    ]

    package static let sendMessage = Endpoint(.post, "/v1/messages", "send a message")
    package static let sendFiles = Endpoint(.post, "/v1/sends", "send files and folders")
    package static let sendSave = Endpoint(
        .post,
        "/v1/states",
        "send one save to a machine, to its inbox or into a game there"
    )
    package static let measureSpeed = Endpoint(.post, "/v1/benches", "measure the speed to a machine")
    package static let openStream = Endpoint(.post, "/v1/streams", "open a stream to a machine")
    package static let nextStream = Endpoint(.post, "/v1/streams/next", "wait for the next stream of a name")
    package static let readStream = Endpoint(.get, "/v1/streams/{stream}", "read an open stream")
    package static let writeStream = Endpoint(
        .put,
        "/v1/streams/{stream}",
        "write to an open stream",
        takingUploads: true
    )
}
