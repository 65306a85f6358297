import COpenSSL
import Digests
import LinuxPlatform

/// The socket as OpenSSL sees it (a BIO of our own): reads that answer at once, writes that always succeed.
///
/// What the kernel has no room for is kept until ``flush()``, so that OpenSSL never stops half way through a record and never
/// wants to write in order to read. Whoever writes flushes before the next piece; no more than that is ever kept.
final class SocketPort {
    let socket: StreamSocket
    /// What the kernel said when it last failed.
    private(set) var failure: SystemError?
    private(set) var isAtEnd = false
    /// The first bytes that came.
    private(set) var beginning: [UInt8] = []
    /// How many bytes may still come in. Strangers get few; for peers there is no limit.
    var allowance: Int
    /// How many bytes have come in since somebody took the count.
    private var newCount = 0
    /// Whether to keep what is written until the flush, so that several records go out with one call.
    private(set) var isGathering = false
    private var kept = GrowingBuffer()

    init(_ socket: StreamSocket, allowance: Int) {
        self.socket = socket
        self.allowance = allowance
    }

    /// A BIO over this. It does not keep this alive.
    func newBIO() -> OpaquePointer {
        let bio = OpenSSLErrors.require(BIO_new(PortMethod.method), "BIO_new")
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    /// Sends what is kept. Answers whether all of it has gone.
    func flush() -> Bool {
        isGathering = false
        while kept.count > 0 {
            do throws(SystemError) {
                guard let count = try socket.sendIfReady(kept.bytes) else { return false }
                kept.removeFirst(count)
            } catch {
                failure = error
                kept.removeAll()
            }
        }
        return true
    }

    /// From here to the flush, keeps what is written. At most about `count` bytes will be.
    func gather(_ count: Int) {
        isGathering = true
        kept.reserve(count)
    }

    /// How many bytes have come in since the last time.
    func takeNewCount() -> Int {
        defer { newCount = 0 }
        return newCount
    }

    /// Gives back the memory of what has gone.
    func releaseMemory() {
        kept.releaseIfEmpty()
    }

    /// Nil where nothing is there yet.
    fileprivate func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
        do throws(SystemError) {
            let room = UnsafeMutableRawBufferPointer(rebasing: room.prefix(max(allowance, 0)))
            guard !room.isEmpty else { return 0 }
            guard let count = try socket.receiveIfReady(into: room) else { return nil }
            isAtEnd = count == 0
            if beginning.count < OtherProtocol.beginningCount { noteBeginning(room[..<count]) }
            allowance -= count
            newCount += count
            return count
        } catch {
            failure = error
            return 0
        }
    }

    private func noteBeginning(_ bytes: Slice<UnsafeMutableRawBufferPointer>) {
        beginning += bytes.prefix(OtherProtocol.beginningCount - beginning.count)
    }

    fileprivate func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard failure == nil else { return false }
        guard !isGathering, kept.count == 0 else {
            kept.append(bytes)
            return true
        }
        do throws(SystemError) {
            let count = try socket.sendIfReady(bytes) ?? 0
            if count < bytes.count { kept.append(UnsafeRawBufferPointer(rebasing: bytes[count...])) }
            return true
        } catch {
            failure = error
            return false
        }
    }
}

/// What OpenSSL calls.
private enum PortMethod {
    // because it is made once and never changed after
    nonisolated(unsafe) static let method: OpaquePointer = {
        let kind = BIO_get_new_index() | CInt(BIO_TYPE_SOURCE_SINK)
        let method = OpenSSLErrors.require(BIO_meth_new(kind, "huddle socket"), "BIO_meth_new")
        BIO_meth_set_read_ex(method, read)
        BIO_meth_set_write_ex(method, write)
        BIO_meth_set_ctrl(method, control)
        return method
    }()

    private static func port(_ bio: OpaquePointer?) -> SocketPort? {
        BIO_get_data(bio).map { Unmanaged<SocketPort>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let read:
        @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>?, Int, UnsafeMutablePointer<Int>?) -> CInt = {
            @Sendable bio, start, count, filled in
            huddle_bio_clear_retry(bio)
            guard let port = port(bio), let filled else { return 0 }
            guard let received = port.read(into: UnsafeMutableRawBufferPointer(start: start, count: count)) else {
                huddle_bio_set_retry_read(bio)
                return 0
            }
            filled.pointee = received
            return received > 0 ? 1 : 0
        }

    private static let write:
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int, UnsafeMutablePointer<Int>?) -> CInt = {
            @Sendable bio, start, count, taken in
            guard let port = port(bio), port.write(UnsafeRawBufferPointer(start: start, count: count)) else { return 0 }
            taken?.pointee = count
            return 1
        }

    private static let control: @convention(c) (OpaquePointer?, CInt, Int, UnsafeMutableRawPointer?) -> Int = {
        @Sendable bio, command, _, _ in
        switch command {
        case BIO_CTRL_FLUSH: 1
        case BIO_CTRL_EOF: port(bio)?.isAtEnd == true ? 1 : 0
        default: 0
        }
    }
}
