import CMicroHTTPD
import Glibc
import LinuxPlatform
import Vocabulary

extension ControlServer {
    /// The library calls: a request begins, more of it has come, or it is whole.
    nonisolated func access(
        _ connection: OpaquePointer?,
        _ url: UnsafePointer<CChar>?,
        _ method: UnsafePointer<CChar>?,
        _ upload: UnsafePointer<CChar>?,
        _ uploadCount: UnsafeMutablePointer<Int>?,
        _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result {
        guard let connection, let url, let method, let uploadCount, let place else { return .NO }
        // because the library calls from `turn`, on this actor's own thread, and what it lends lives until this call returns
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

    /// The library calls: it is done with a request, or the caller has gone.
    nonisolated func completed(_ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) {
        guard let id = place?.pointee.map({ UInt(bitPattern: $0) }) else { return }
        place?.pointee = nil
        assumeIsolated { server in
            let exchange = server.exchanges.removeValue(forKey: id)
            exchange?.task?.cancel()
            exchange?.absence?.cancel()
            exchange?.upload?.taker?.resume(with: .success(()))
            // It may be asked for more on the same connection.
            if let connection = exchange?.connection { server.isSilent(connection) }
        }
    }

    private func begin(_ id: UInt, _ connection: OpaquePointer, _ method: String, _ url: String?) -> MHD_Result {
        var exchange = Exchange(connection: connection, method: method, url: url ?? "")
        exchange.head = RequestHead(of: connection, method, exchange.path)
        silent.removeAll { $0 == UInt(bitPattern: connection) }
        let announced = Self.announcedByteCount(connection) ?? 0
        if url == nil {
            exchange.state = .ready(.refusal(400, "the path is not UTF-8"))
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
        else { return .refusal(403, "this is the socket of another user") }
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
        // What does not find room is passed over, so that there is an end where that can be said.
        if case .ready? = exchanges[id]?.state { return .YES }
        guard bytes.count <= bodyRoom else {
            exchanges[id]?.body = []
            exchanges[id]?.state = .ready(.crowded)
            return .YES
        }
        exchanges[id]?.body.append(contentsOf: bytes)
        return .YES
    }

    /// How much more of bodies there may be.
    private var bodyRoom: Int { limits.bodyBytesTogether - exchanges.values.reduce(0) { $0 + $1.body.count } }

    private func goOn(_ id: UInt) -> MHD_Result {
        guard let exchange = exchanges[id] else { return .NO }
        switch exchange.state {
        case .receiving:
            begin(answering: exchange, id)
            return .YES
        case .working:
            // All of an upload has come, and the answer takes a while.
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

    // MARK: Working on the answer

    private func begin(answering exchange: Exchange, _ id: UInt) {
        sleep(id)
        work(on: ControlRequest(exchange), id)
    }

    /// Has it answered.
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

    /// The library forgets the connection for a while; that the caller goes away has to be seen by us.
    func sleep(_ id: UInt) {
        guard let exchange = exchanges[id], !exchange.isAsleep else { return }
        MHD_suspend_connection(exchange.connection)
        exchanges[id]?.isAsleep = true
        if exchange.upload == nil { watchForAbsence(exchange, id) }
    }

    /// That both directions have ended is reported unasked. A browser that goes away ends only its own direction of TCP; a program on the
    /// socket may do that and still read. Where it can't be watched, that shows when the answer is sent.
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
        if case .working = exchange.state { exchanges[id]?.state = .ready(.refusal(503, "the caller has gone")) }
        if exchange.upload != nil { cutUpload(exchange) }
        wake(id)
    }

    // MARK: Handing the answer over

    private func queue(_ response: ControlResponse, _ id: UInt) -> MHD_Result {
        guard let connection = exchanges[id]?.connection else { return .NO }
        let made: OpaquePointer?
        switch response.body {
        case .bytes(let bytes):
            made = bytes.withUnsafeBytes { bytes in
                MHD_create_response_from_buffer(
                    bytes.count,
                    // because the library copies and does not write
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
        let place = StreamPlace(server: self, exchange: id)
        return MHD_create_response_from_callback(
            UInt64.max,
            16 << 10,
            { context, _, room, count in StreamPlace.of(context).fill(room, count) },
            // because the library hands it back to be released, below
            Unmanaged.passRetained(place).toOpaque(),
            { StreamPlace.release($0) }
        )
    }

    /// What the library hears when it asks for more.
    enum Filling {
        /// None means that the connection sleeps until there are some.
        case bytes(Int)
        case end
        /// What was to come is missing.
        case broken
    }

    /// Fills the library's room with what has come.
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
    /// A refusal for as long as others take the room.
    static var crowded: ControlResponse {
        var response = refusal(503, "there is too much to do at once; try again in a moment")
        response.retryAfter = 1
        return response
    }

    /// A refusal in a sentence.
    public static func refusal(_ status: Int, _ sentence: String) -> ControlResponse {
        ControlResponse(status: status, type: "text/plain; charset=utf-8", .bytes(Array("\(sentence)\n".utf8)))
    }
}
