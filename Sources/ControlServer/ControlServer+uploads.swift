import CMicroHTTPD
import Glibc
import LinuxPlatform

/// Bodies that are taken while they come. Who sends faster than is taken waits: its connection sleeps.
extension ControlServer {
    /// Begins to answer before anything of the body is there.
    func receiveUpload(_ id: UInt) -> MHD_Result {
        guard let exchange = exchanges[id] else { return .NO }
        // However long whoever feeds it has nothing to say.
        huddle_http_be_patient(exchange.connection)
        exchanges[id]?.upload = Upload()
        // Nothing limits how long it may be silent, so that its end must not be missed.
        watchForAbsence(exchange, id)
        var request = ControlRequest(exchange)
        request.upload = { [weak self] in try await self?.nextOfUpload(id) }
        work(on: request, id)
        return .YES
    }

    /// More has come. Once it is answered nobody wants the rest: a little is passed over, so that the answer can be given, and for more the
    /// library has no other way to say so than to close.
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

    /// The one who sent it has gone: the library is made to look.
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
