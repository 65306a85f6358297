import Foundation
import Synchronization
import TestSupport

/// A proxy to a port of this machine that records the traffic in both directions.
final class Wiretap: Sendable {
    /// The port for peers to be recorded.
    let port: UInt16
    private let listening: BlockingSocket
    private let tape = Tape()

    private final class Tape: Sendable {
        private let bytes = Mutex<[UInt8]>([])
        var all: [UInt8] { bytes.withLock { $0 } }
        func keep(_ more: [UInt8]) { bytes.withLock { $0 += more } }
    }

    init(before target: UInt16) throws {
        (listening, port) = try BlockingSocket.boundToLoopback(backlog: 4)
        Thread.detachNewThread { [listening, tape] in
            while let near = try? listening.accept() {
                guard let far = try? BlockingSocket.connected(toLoopbackPort: target) else { return near.end() }
                for (one, other) in [(near, far), (far, near)] {
                    Thread.detachNewThread { Self.pass(from: one, to: other, tape) }
                }
            }
        }
    }

    deinit { listening.end() }

    private static func pass(from one: BlockingSocket, to other: BlockingSocket, _ tape: Tape) {
        var byte: [UInt8] = [0]
        while (try? one.receive(filling: &byte)) == 1 {
            tape.keep(byte)
            guard (try? other.send(byte)) != nil else { break }
        }
        other.end()
    }

    var passed: Data { Data(tape.all) }
}
