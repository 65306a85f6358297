import CMicroHTTPD
import Glibc
import LinuxPlatform
import Vocabulary

extension ControlServer {
    /// Handles a step of a request. The library calls this when a request starts, continues, or is complete.
    nonisolated func access(
        _ connection: OpaquePointer?,
        _ url: UnsafePointer<CChar>?,
        _ method: UnsafePointer<CChar>?,
        _ upload: UnsafePointer<CChar>?,
        _ uploadCount: UnsafeMutablePointer<Int>?,
        _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result {
        guard let connection, let url, let method, let uploadCount, let place else { return .NO }
        // because the library calls from `turn`, on this actor's thread, and its arguments live until this call returns
        nonisolated(unsafe) let lent = (connection, url, method, upload, uploadCount, place)
        return assumeIsolated { server in
            let (connection, url, method, upload, uploadCount, place) = lent
            guard let id = place.pointee.map({ UInt(bitPattern: $0) }) else {
                let id = server.nextID()
                place.pointee = UnsafeMutableRawPointer(bitPattern: id)
                return server.begin(id, connection, String(cString: method), String(validatingCString: url))
            }
            let chunk = UnsafeRawBufferPointer(start: upload, count: uploadCount.pointee)
            uploadCount.pointee = 0
            return chunk.isEmpty ? server.goOn(id) : server.receive(chunk, id)
        }
    }

    /// Releases a request. The library calls this when a request has ended, or the caller has disconnected.
    nonisolated func completed(_ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) {
        guard let id = place?.pointee.map({ UInt(bitPattern: $0) }) else { return }
        place?.pointee = nil
        assumeIsolated { server in
            let exchange = server.exchanges.removeValue(forKey: id)
            exchange?.task?.cancel()
            exchange?.absence?.cancel()
            exchange?.upload?.taker?.resume(with: .success(()))
            // Another request may use the connection.
            if let connection = exchange?.connection { server.isSilent(connection) }
        }
    }

    private func begin(_ id: UInt, _ connection: OpaquePointer, _ method: String, _ url: String?) -> MHD_Result {
        var exchange = Exchange(connection: connection, method: method, url: url ?? "")
        exchange.head = RequestHead(of: connection, method, exchange.path)
        silent.removeAll { $0 == UInt(bitPattern: connection) }
        let announced = Self.announcedByteCount(connection) ?? 0
        if url == nil {
            exchange.state = .ready(.refusal(400, "the path has a wrong escape or is not UTF-8"))
        } else if let refusal = refusal(of: exchange) {
            exchange.state = .ready(refusal)
        } else if takesUploads(method, exchange.path) {
            exchanges[id] = exchange
            return receiveUpload(id)
        } else if announced > limits.bodyBytes {
            exchange.state = .ready(.refusal(413, "a request has at most \(ByteCount(UInt64(limits.bodyBytes)))"))
        } else if announced > bodyRoom {
            exchange.state = .ready(.crowded)
        }
        exchanges[id] = exchange
        if case .ready = exchange.state { return goOn(id) }
        return .YES
    }

    private func refusal(of exchange: Exchange) -> ControlResponse? {
        if let check { return check(exchange.head) }
        guard let caller = try? UnixSocket.credentials(of: huddle_http_socket(exchange.connection)),
            caller.user == getuid() || caller.user == 0
        else { return .refusal(403, "this socket belongs to another user") }
        return nil
    }

    private static func announcedByteCount(_ connection: OpaquePointer) -> Int? {
        MHD_lookup_connection_value(connection, .HEADER_KIND, "Content-Length").map {
            Int(String(cString: $0)) ?? .max
        }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer, _ id: UInt) -> MHD_Result {
        if exchanges[id]?.upload != nil { return pass(bytes, id) }
        guard let count = exchanges[id]?.byteCount, count + bytes.count <= limits.bodyBytes else { return .NO }
        exchanges[id]?.byteCount += bytes.count
        // A body beyond the limit is skipped, so that the response can be sent at its end.
        if case .ready? = exchanges[id]?.state { return .YES }
        guard bytes.count <= bodyRoom else {
            exchanges[id]?.body = []
            exchanges[id]?.state = .ready(.crowded)
            return .YES
        }
        exchanges[id]?.body.append(contentsOf: bytes)
        return .YES
    }

    /// The number of bytes that bodies may still use.
    private var bodyRoom: Int { limits.bodyBytesTogether - exchanges.values.reduce(0) { $0 + $1.body.count } }

    private func goOn(_ id: UInt) -> MHD_Result {
        guard let exchange = exchanges[id] else { return .NO }
        switch exchange.state {
        case .receiving:
            begin(answering: exchange, id)
            return .YES
        case .working:
            // The upload has ended, but the handler continues.
            if exchange.upload != nil {
                endUpload(id)
                sleep(id)
            }
            return .YES
        case .ready(let response):
            exchanges[id]?.state = .answered
            return queue(response, id)
        case .answered: return .NO
        }
    }

    // MARK: Handler

    private func begin(answering exchange: Exchange, _ id: UInt) {
        sleep(id)
        work(on: ControlRequest(exchange), id)
    }

    /// Runs the handler of a request.
    func work(on request: ControlRequest, _ id: UInt) {
        exchanges[id]?.state = .working
        let handler = handler
        exchanges[id]?.task = Task(executorPreference: loop.taskExecutor) { [weak self] in
            let response = await handler(request)
            await self?.answered(id, response)
        }
    }

    private func answered(_ id: UInt, _ response: ControlResponse) {
        guard case .working = exchanges[id]?.state else { return }
        exchanges[id]?.state = .ready(response)
        wake(id)
    }

    /// Suspends the connection. The library then notices no disconnection, so this server must watch for it.
    func sleep(_ id: UInt) {
        guard let exchange = exchanges[id], !exchange.isAsleep else { return }
        MHD_suspend_connection(exchange.connection)
        exchanges[id]?.isAsleep = true
        if exchange.upload == nil { watchForAbsence(exchange, id) }
    }

    /// Watches for the end of both directions, which the kernel reports by itself. A browser that disconnects ends only
    /// its own direction of TCP, but a program on the socket may do that and still read. If the watch fails, sending
    /// the response fails later.
    func watchForAbsence(_ exchange: Exchange, _ id: UInt) {
        let signs: Readiness = check == nil ? [] : .finished
        exchanges[id]?.absence = try? loop.watch(huddle_http_socket(exchange.connection), for: signs) {
            @Sendable [weak self] _ in
            self?.assumeIsolated { $0.callerLeft(id) }
        }
    }

    func wake(_ id: UInt) {
        guard let exchange = exchanges[id], exchange.isAsleep else { return }
        if exchange.upload == nil { exchange.absence?.cancel() }
        exchanges[id]?.isAsleep = false
        MHD_resume_connection(exchange.connection)
        turn()
    }

    private func callerLeft(_ id: UInt) {
        guard let exchange = exchanges[id] else { return }
        exchange.task?.cancel()
        exchanges[id]?.hasEnded = true
        if case .working = exchange.state {
            exchanges[id]?.state = .ready(.refusal(503, "the caller has disconnected"))
        }
        if exchange.upload != nil { cutUpload(exchange) }
        wake(id)
    }

    // MARK: Sending the response

    private func queue(_ response: ControlResponse, _ id: UInt) -> MHD_Result {
        guard let connection = exchanges[id]?.connection else { return .NO }
        let made: OpaquePointer?
        switch response.body {
        case .bytes(let bytes):
            made = bytes.withUnsafeBytes { bytes in
                MHD_create_response_from_buffer(
                    bytes.count,
                    // because the library copies the bytes and does not write to them
                    UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                    .RESPMEM_MUST_COPY
                )
            }
        case .stream(let source):
            exchanges[id]?.source = source
            made = streamed(id)
        }
        guard let made else { return .NO }
        MHD_add_response_header(made, "Content-Type", response.type)
        MHD_add_response_header(made, "Cache-Control", "no-store")
        for (name, value) in response.headers { MHD_add_response_header(made, name, value) }
        if let seconds = response.retryAfter { MHD_add_response_header(made, "Retry-After", "\(seconds)") }
        if !response.allowed.isEmpty {
            MHD_add_response_header(made, "Allow", response.allowed.joined(separator: ", "))
        }
        let result = MHD_queue_response(connection, UInt32(response.status), made)
        MHD_destroy_response(made)
        return result
    }

    private func streamed(_ id: UInt) -> OpaquePointer? {
        let place = ResponseSource(server: self, exchange: id)
        return MHD_create_response_from_callback(
            UInt64.max,
            16 << 10,
            { context, _, room, count in ResponseSource.of(context).fill(room, count) },
            // because the library passes it to `release` at the end
            Unmanaged.passRetained(place).toOpaque(),
            { ResponseSource.release($0) }
        )
    }

    /// The next step of a streamed response.
    enum Filling {
        /// The number of copied bytes. If it is 0, the connection is suspended until there are some.
        case bytes(Int)
        case end
        /// The source failed before its end.
        case broken
    }

    /// Copies the available bytes into the library's memory.
    func fill(_ room: UnsafeMutableRawBufferPointer, _ id: UInt) -> Filling {
        guard var exchange = exchanges[id], let source = exchange.source else { return .broken }
        guard exchange.waiting.isEmpty else {
            let count = min(room.count, exchange.waiting.count)
            room.copyBytes(from: exchange.waiting.prefix(count))
            exchange.waiting.removeFirst(count)
            exchanges[id] = exchange
            return .bytes(count)
        }
        if exchange.isBroken { return .broken }
        if exchange.hasEnded { return .end }
        sleep(id)
        exchanges[id]?.task = Task(executorPreference: loop.taskExecutor) { [weak self] in
            let next: Result<[UInt8]?, any Error>
            do {
                next = .success(try await source())
            } catch {
                next = .failure(error)
            }
            await self?.came(next, id)
        }
        return .bytes(0)
    }

    private func came(_ next: Result<[UInt8]?, any Error>, _ id: UInt) {
        switch next {
        case .success(let bytes?): exchanges[id]?.waiting = bytes[...]
        case .success(nil): exchanges[id]?.hasEnded = true
        case .failure: exchanges[id]?.isBroken = true
        }
        wake(id)
    }
}

extension ControlResponse {
    /// Returns a temporary refusal, for the time in which other requests use the memory.
    static var crowded: ControlResponse {
        var response = refusal(503, "too many requests at once; try again in a moment")
        response.retryAfter = 1
        return response
    }

    /// Returns a refusal with a message.
    public static func refusal(_ status: Int, _ sentence: String) -> ControlResponse {
        ControlResponse(status: status, type: "text/plain; charset=utf-8", .bytes(Array("\(sentence)\n".utf8)))
    }
}
