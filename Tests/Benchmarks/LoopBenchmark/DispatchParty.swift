import Dispatch
import Glibc
import LinuxPlatform
import TestSupport

/// A serial queue as an actor's executor.
final class QueueExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "candidate")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}

/// The same queue for a task while it waits, so that its wake-up needs no hop through Swift's own threads.
final class QueueTaskExecutor: TaskExecutor {
    private let actors: QueueExecutor

    init(_ actors: QueueExecutor) {
        self.actors = actors
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        actors.queue.async {
            job.runSynchronously(
                isolatedTo: self.actors.asUnownedSerialExecutor(),
                taskExecutor: self.asUnownedTaskExecutor()
            )
        }
    }
}

/// An actor on a serial queue, with one read source and one write source for the whole connection.
///
/// The handler of the read source reads, so that no call is in vain. The source is suspended while much data is not
/// requested yet, so that back-pressure reaches the other side.
actor DispatchParty: Party {
    private let executor: QueueExecutor
    private let taskExecutor: QueueTaskExecutor
    private let descriptor: OwnedDescriptor
    private let blocking: BlockingSocket
    private let readSource: any DispatchSourceRead
    private let writeSource: any DispatchSourceWrite
    private var kept: [Result<[UInt8], any Error>] = []
    private var isReadingSuspended = false
    private var reader: CheckedContinuation<[UInt8], any Error>?
    private var writer: CheckedContinuation<Void, Never>?
    private var isStarted = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ socket: BlockingSocket) throws {
        executor = QueueExecutor()
        taskExecutor = QueueTaskExecutor(executor)
        descriptor = try socket.nonBlocking()
        blocking = socket
        readSource = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: executor.queue)
        writeSource = DispatchSource.makeWriteSource(fileDescriptor: descriptor.number, queue: executor.queue)
    }

    func pingPong(rounds: Int) async throws -> [UInt64] {
        var times: [UInt64] = []
        times.reserveCapacity(rounds)
        for _ in 0..<rounds {
            let start = monotonicNanoseconds()
            try await send(message)
            try await receive(messageSize)
            times.append(monotonicNanoseconds() - start)
        }
        return times
    }

    func echo() async throws {
        while true {
            let bytes = try await receive()
            if bytes.isEmpty { return }
            try await send(bytes)
        }
    }

    func sendChunks(_ count: Int) async throws {
        for _ in 0..<count { try await send(chunk) }
    }

    func receiveChunks(_ count: Int) async throws {
        try await receive(count * chunkSize)
    }

    func timeThere() -> UInt64 { monotonicNanoseconds() }

    func end() {
        start()
        blocking.end()
        // A suspended source must not be released.
        writeSource.resume()
        if isReadingSuspended { readSource.resume() }
        readSource.cancel()
        writeSource.cancel()
    }

    /// Starts the sources. An actor can't pass itself to a handler before `init` has ended.
    func start() {
        guard !isStarted else { return }
        isStarted = true
        readSource.setEventHandler { @Sendable [weak self] in self?.assumeIsolated { $0.becameReadable() } }
        writeSource.setEventHandler { @Sendable [weak self] in self?.assumeIsolated { $0.becameWritable() } }
        readSource.activate()
        writeSource.activate()
        writeSource.suspend()
    }

    /// The number of chunks to read ahead.
    private static let mostKept = 16

    private func becameReadable() {
        let result = Result { try readOnce() }
        if let reader = reader.take() {
            reader.resume(with: result)
        } else {
            kept.append(result)
            guard kept.count >= Self.mostKept else { return }
            isReadingSuspended = true
            readSource.suspend()
        }
    }

    private func becameWritable() {
        writeSource.suspend()
        writer.take()?.resume()
    }

    private func readOnce() throws -> [UInt8] {
        // because the kernel fills the bytes, and only as many count as it says it filled
        try [UInt8](unsafeUninitializedCapacity: chunkSize) { buffer, count in
            count = try retrying("recv") { recv(descriptor.number, buffer.baseAddress, chunkSize, 0) }
        }
    }

    private func receive() async throws -> [UInt8] {
        start()
        if let result = takeKept() { return try result.get() }
        return try await withTaskExecutorPreference(taskExecutor) {
            try await withCheckedThrowingContinuation { continuation in
                // More data may have arrived meanwhile: Swift can queue the task again between the line above and this
                // one.
                if let result = takeKept() { continuation.resume(with: result) } else { reader = continuation }
            }
        }
    }

    private func takeKept() -> Result<[UInt8], any Error>? {
        guard !kept.isEmpty else { return nil }
        if isReadingSuspended { readSource.resume() }
        isReadingSuspended = false
        return kept.removeFirst()
    }

    private func receive(_ count: Int) async throws {
        var rest = count
        while rest > 0 {
            let bytes = try await receive()
            if bytes.isEmpty { throw ConnectionEnded() }
            rest -= bytes.count
        }
    }

    private func send(_ bytes: [UInt8]) async throws {
        start()
        var sent = 0
        while sent < bytes.count {
            let count = try retryingUnlessBlocked("send") {
                bytes.withUnsafeBytes { all in
                    let rest = UnsafeRawBufferPointer(rebasing: all[sent...])
                    return Glibc.send(descriptor.number, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL))
                }
            }
            if let count {
                sent += count
            } else {
                await withTaskExecutorPreference(taskExecutor) {
                    await withCheckedContinuation {
                        writer = $0
                        writeSource.resume()
                    }
                }
            }
        }
    }
}
