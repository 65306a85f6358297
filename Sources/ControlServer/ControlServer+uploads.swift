import CMicroHTTPD
import Glibc
import LinuxPlatform

/// Handles streamed bodies. A sender that is faster than the reader waits, because its connection is suspended.
extension ControlServer {
    /// Starts the handler before the body arrives.
    func receiveUpload(_ id: UInt) -> MHD_Result {
        guard let exchange = exchanges[id] else { return .NO }
        // The sender may be silent for any time.
        huddle_http_be_patient(exchange.connection)
        exchanges[id]?.upload = Upload()
        // The silence of the sender has no time limit, so the server must notice its disconnection.
        watchForAbsence(exchange, id)
        var request = ControlRequest(exchange)
        request.upload = { [weak self] in try await self?.nextOfUpload(id) }
        work(on: request, id)
        return .YES
    }

    /// Stores more of a body. After the response, the rest of the body is useless. A little is skipped, so that the
    /// response can be sent. For more, the library can only close the connection.
    func pass(_ bytes: UnsafeRawBufferPointer, _ id: UInt) -> MHD_Result {
        guard case .working = exchanges[id]?.state else {
            exchanges[id]?.upload?.unwanted += bytes.count
            return exchanges[id]?.upload?.unwanted ?? .max > Upload.limit ? .NO : .YES
        }
        exchanges[id]?.upload?.add(bytes)
        if exchanges[id]?.upload?.isFull == true { sleep(id) }
        return .YES
    }

    func endUpload(_ id: UInt) {
        exchanges[id]?.upload?.isWhole = true
        exchanges[id]?.upload?.wakeTaker()
    }

    /// Closes the connection after the sender has disconnected, so that the library notices it.
    func cutUpload(_ exchange: Exchange) {
        exchange.absence?.cancel()
        _ = shutdown(huddle_http_socket(exchange.connection), CInt(SHUT_RDWR))
    }

    private func nextOfUpload(_ id: UInt) async throws -> [UInt8]? {
        while let upload = exchanges[id]?.upload {
            if !upload.waiting.isEmpty {
                let bytes = exchanges[id]?.upload?.takeAll()
                if !upload.isWhole { wake(id) }
                return bytes
            }
            if upload.isWhole { return nil }
            let taker = Resumption<Void>()
            exchanges[id]?.upload?.taker = taker
            try await taker.valueUnlessCancelled()
        }
        throw CancellationError()
    }
}
