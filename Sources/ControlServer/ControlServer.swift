import CMicroHTTPD
import Glibc
public import LinuxPlatform
import Vocabulary

/// Answers HTTP requests of this user's programs on a socket in the file system.
///
/// The library (libmicrohttpd) reads and writes HTTP; it runs on the server's loop and waits for nothing by itself, so that an idle server
/// costs nothing. What answers is a task for each request.
public actor ControlServer {
    /// What answers a request. It is cancelled when the caller has gone.
    public typealias Handler = @Sendable (ControlRequest) async -> ControlResponse

    /// Refuses a request by its head; nil to answer it.
    public typealias Check = @Sendable (RequestHead) -> ControlResponse?

    /// Whether the request with this method and this path is answered while its body comes, however long that is.
    public typealias TakesUploads = @Sendable (_ method: String, _ path: [String]) -> Bool

    /// The loop that the library runs on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    let loop: EventLoop
    let limits: ControlLimits
    let handler: Handler
    let takesUploads: TakesUploads
    var exchanges: [UInt: Exchange] = [:]
    /// How many requests are being read, worked on or answered.
    var exchangeCount: Int { exchanges.count }
    /// How much has come of bodies that are taken as they come, and waits to be taken.
    var waitingUploadBytes: Int { exchanges.values.reduce(0) { $0 + ($1.upload?.waiting.count ?? 0) } }
    /// Connections that nobody works for, those that have been silent longest first, by the address of the library's handle.
    var silent: [UInt] = []
    /// How many connections there are.
    var connectionCount = 0
    /// Whether one has gone since the library was called last.
    var hasRoomAgain = false
    private var lastExchange: UInt = 0
    private let socket: any ControlListener
    /// Decides who may ask; nil on a socket in the file system, where the kernel says who asks.
    let check: Check?
    private var daemon: OpaquePointer?
    private var watch: DescriptorWatch?
    private var timer: ScheduledTimer?
    private var isRunning = false

    /// Binds the socket; nothing is answered before ``run()``.
    ///
    /// - Throws: ``ControlServerError`` where another program answers there, `SystemError` where the folder does not allow it
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

    /// Takes a socket that a service manager has opened, and that goes on to be there when this ends.
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

    /// Answers programs of this machine over TCP, of any user, if the check lets them.
    ///
    /// - Parameter check: decides by the head of each request, before any of its body is kept
    public init(
        listeningOn socket: LoopbackSocket,
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

    /// Answers until the task is cancelled; then what is being answered is broken off.
    public func run() async throws {
        try start()
        defer { stop() }
        let never = Resumption<Void>()
        try await never.valueUnlessCancelled()
    }

    private func start() throws {
        // because the library is stopped before this object goes
        let context = Unmanaged.passUnretained(self).toOpaque()
        let idle = UInt32(clamping: limits.idle.components.seconds)
        guard
            let daemon = huddle_http_start(
                socket.number,
                limits.connections,
                idle,
                limits.headBytes,
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
            // The library wants no connection to be asleep when it stops.
            if exchange.isAsleep { MHD_resume_connection(exchange.connection) }
        }
        watch?.cancel()
        timer?.cancel()
        if let daemon {
            // It does not take part in the closing of our socket, which goes on to be bound until this object goes.
            _ = MHD_quiesce_daemon(daemon)
            MHD_stop_daemon(daemon)
        }
        daemon = nil
        exchanges = [:]
    }

    /// Lets the library do what there is to do, and asks when it wants to be called again.
    func turn() {
        guard let daemon, !isRunning else { return }
        isRunning = true
        MHD_run(daemon)
        isRunning = false
        timer?.cancel()
        timer = nil
        var milliseconds: CUnsignedLongLong = 0
        // At its limit the library stops listening, and begins again only when it is called after that.
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

    private nonisolated static func of(_ context: UnsafeMutableRawPointer?) -> ControlServer {
        guard let context else { preconditionFailure("the library hands back what it was given") }
        // because the library is stopped before this object goes
        return Unmanaged<ControlServer>.fromOpaque(context).takeUnretainedValue()
    }
}

extension LoopbackSocket: ControlListener {}
