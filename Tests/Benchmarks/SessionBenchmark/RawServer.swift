import Glibc
import LinuxPlatform
import Transport
import Yardstick

/// The answering side of the comparison: plain blocking calls, with a thread for each connection.
///
/// The first byte of a connection is its purpose.
struct RawServer {
    /// Receives and discards a number of bytes, which follows in eight bytes.
    static let pour: UInt8 = 1
    /// Receives into a file, which is flushed at the end.
    static let storeOnDisk: UInt8 = 2
    static let storeInMemory: UInt8 = 4
    /// Echoes 64 bytes, a number of times.
    static let echo: UInt8 = 3

    static let piece = 64 << 10

    private let context: RawTLS.Context

    init() {
        context = RawTLS.Context(isServer: true, identityFile: RawClient.identityFile())
    }

    func run() async throws {
        let listener = try RawSocket.listening()
        say("ready")
        let context = context
        try await runBlocking("listen") {
            while true {
                let socket = try listener.accept()
                Thread.start { Self.serve(RawTLS(context, socket)) }
            }
        }
    }

    private static func serve(_ connection: RawTLS) {
        connection.accept()
        let room = Room(piece)
        connection.skip(1, room)
        switch room.bytes[0] {
        case pour:
            connection.skip(announced(connection, room), room)
            connection.write(byte: 1)
        case storeOnDisk, storeInMemory:
            let folder = folder(of: room.bytes[0])
            store(announced(connection, room), in: folder, from: connection, room)
        default: for _ in 0..<announced(connection, room) { echo(connection, room) }
        }
    }

    private static func announced(_ connection: RawTLS, _ room: Room) -> Int {
        connection.skip(8, room)
        return room.bytes.load(as: Int.self)
    }

    private static func echo(_ connection: RawTLS, _ room: Room) {
        connection.skip(64, room)
        connection.write(UnsafeRawBufferPointer(rebasing: room.bytes.prefix(64)))
    }

    static func folder(of kind: UInt8) -> String { kind == storeOnDisk ? Place.disk : Place.memory }

    private static func store(_ total: Int, in folder: String, from connection: RawTLS, _ room: Room) {
        let path = "\(folder)/raw.bin"
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        precondition(file >= 0, "no file")
        var received = 0
        while received < total {
            let count = connection.read(into: room.bytes)
            precondition(write(file, room.bytes.baseAddress, count) == count, "the disk is full")
            received += count
        }
        fsync(file)
        close(file)
        connection.write(byte: 1)
        unlink(path)
    }
}
