import CMicroHTTPD
import Glibc
public import LinuxPlatform
import Vocabulary

/// An HTTP server for programs of this user on a socket in the file system, and for browsers over TCP.
///
/// The library (libmicrohttpd) reads and writes HTTP. It runs on the server's loop and never blocks, so an idle server
/// costs nothing. Each request has its own task.
public actor ControlServer {
    /// Handles a request. It is cancelled when the caller disconnects.
    public typealias Handler = @Sendable (ControlRequest) async -> ControlResponse

    /// Refuses a request by its head; nil accepts it.
    public typealias Check = @Sendable (RequestHead) -> ControlResponse?

    /// Returns true if requests with this method and path get a streamed body of any length.
    public typealias TakesUploads = @Sendable (_ method: String, _ path: [String]) -> Bool

    /// The loop on which the library runs.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let loop: EventLoop
    let limits: ControlLimits
    let handler: Handler
    let takesUploads: TakesUploads
    var exchanges: [UInt: Exchange] = [:]
    /// The number of open requests.
    var exchangeCount: Int { exchanges.count }
    /// The number of unread bytes in streamed bodies.
    var waitingUploadBytes: Int { exchanges.values.reduce(0) { $0 + ($1.upload?.waiting.count ?? 0) } }
    /// The idle connections, the longest idle first, by the address of the library's handle.
    var silent: [UInt] = []
    /// The number of connections.
    var connectionCount = 0
    /// True if a connection has closed since the library last ran.
    var hasRoomAgain = false
    private var lastExchange: UInt = 0
    private let socket: any ControlListener
    /// The check of request heads. nil for a socket in the file system, where the kernel identifies the caller.
    let check: Check?
    private var daemon: OpaquePointer?
    private var watch: DescriptorWatch?
    private var timer: ScheduledTimer?
    private var isRunning = false

    /// Binds the socket. The server responds to requests once ``run()`` starts.
    ///
    /// - Throws: ``ControlServerError`` if another program responds there, `SystemError` if the folder does not permit
    ///   it
    public init(
        at path: String,
        limits: ControlLimits = ControlLimits(),
        on loop: EventLoop = .shared,
        uploads: @escaping TakesUploads = { _, _ in false },
        _ handler: @escaping Handler
    ) throws {
        socket = try ControlSocket(at: path)
        check = nil
        self.loop = loop
        self.limits = limits
        self.handler = handler
        takesUploads = uploads
    }

    /// Uses a socket that the service manager has opened, and that stays open after the server's end.
    public init(
        listeningOn descriptor: consuming OwnedDescriptor,
        at path: String,
        limits: ControlLimits = ControlLimits(),
        on loop: EventLoop = .shared,
        uploads: @escaping TakesUploads = { _, _ in false },
        _ handler: @escaping Handler
    ) throws {
        socket = try ControlSocket(descriptor, at: path)
        check = nil
        self.loop = loop
        self.limits = limits
        self.handler = handler
        takesUploads = uploads
    }

    /// Serves callers over TCP if the check accepts them.
    ///
    /// - Parameter check: decides by the head of each request, before its body is stored
    public init(
        listeningOn socket: LibraryListener,
        limits: ControlLimits = ControlLimits(),
        on loop: EventLoop = .shared,
        uploads: @escaping TakesUploads = { _, _ in false },
        checking check: @escaping Check,
        _ handler: @escaping Handler
    ) {
        self.socket = socket
        self.check = check
        self.loop = loop
        self.limits = limits
        self.handler = handler
        takesUploads = uploads
    }

    /// Runs until the task is cancelled. Then it aborts open responses.
    public func run() async throws {
        try start()
        defer { stop() }
        let never = Resumption<Void>()
        try await never.valueUnlessCancelled()
    }

    private func start() throws {
        // because the library stops before this object is released
        let context = Unmanaged.passUnretained(self).toOpaque()
        let idle = UInt32(clamping: limits.idle.components.seconds)
        let admits: MHD_AcceptPolicyCallback? =
            socket.isOpenToNetwork ? { @Sendable in ControlServer.admits($1, $2) } : nil
        guard
            let daemon = huddle_http_start(
                socket.number,
                limits.connections,
                idle,
                limits.headBytes,
                socket.identity,
                admits,
                { ControlServer.of($0).access($1, $2, $3, $5, $6, $7) },
                { context, _, id, _ in ControlServer.of(context).completed(id) },
                { context, connection, _, event in
                    ControlServer.of(context).cameOrWent(connection, hasCome: event == .CONNECTION_NOTIFY_STARTED)
                },
                context
            )
        else { throw ControlServerError.notStarted }
        self.daemon = daemon
        do throws(SystemError) {
            watch = try loop.watch(huddle_http_epoll(daemon), for: .readable) { @Sendable [unowned self] _ in
                self.assumeIsolated { $0.turn() }
            }
        } catch {
            throw ControlServerError.notStarted
        }
        turn()
    }

    private func stop() {
        for exchange in exchanges.values {
            exchange.task?.cancel()
            exchange.absence?.cancel()
            exchange.upload?.taker?.resume(with: .success(()))
            // The library must have no suspended connection when it stops.
            if exchange.isAsleep { MHD_resume_connection(exchange.connection) }
        }
        watch?.cancel()
        timer?.cancel()
        if let daemon {
            // The library does not close this socket, which stays bound until this object is released.
            _ = MHD_quiesce_daemon(daemon)
            MHD_stop_daemon(daemon)
        }
        daemon = nil
        exchanges = [:]
    }

    /// Runs the library, and schedules its next run.
    func turn() {
        guard let daemon, !isRunning else { return }
        isRunning = true
        MHD_run(daemon)
        isRunning = false
        timer?.cancel()
        timer = nil
        var milliseconds: CUnsignedLongLong = 0
        // At its limit, the library stops listening. It starts again only when it runs after a connection has closed.
        let isUrgent = hasRoomAgain
        hasRoomAgain = false
        guard isUrgent || MHD_get_timeout(daemon, &milliseconds) == .YES else { return }
        timer = loop.schedule(after: .milliseconds(Int64(clamping: milliseconds))) { @Sendable [weak self] in
            self?.assumeIsolated { $0.turn() }
        }
    }

    func nextID() -> UInt {
        lastExchange += 1
        return lastExchange
    }

    /// Refuses callers from public networks. A machine may have a public address, or a router that forwards its ports.
    private nonisolated static func admits(_ caller: UnsafePointer<sockaddr>?, _ length: socklen_t) -> MHD_Result {
        // because the library lends this many bytes for the time of the call
        let raw = UnsafeRawBufferPointer(start: caller, count: Int(length))
        guard let address = SocketAddress(lent: raw)?.address else { return .NO }
        return address.isPrivate || address.isLoopback ? .YES : .NO
    }

    private nonisolated static func of(_ context: UnsafeMutableRawPointer?) -> ControlServer {
        guard let context else { preconditionFailure("the library returns the context") }
        // because the library stops before this object is released
        return Unmanaged<ControlServer>.fromOpaque(context).takeUnretainedValue()
    }
}

extension LibraryListener: ControlListener {
    var identity: String? { if case .network(let identity) = reach { identity } else { nil } }
    var isOpenToNetwork: Bool { if case .loopback = reach { false } else { true } }
}
