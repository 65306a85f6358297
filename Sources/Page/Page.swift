package import Control
import ControlServer
import Household
package import LinuxPlatform
import Synchronization
import Vocabulary

/// The web page for browsers of this machine: its listener, the signed-in browsers, and the responses to them.
///
/// It listens only while the user wants it: from the first `huddle open` until the last browser is signed out.
@Engine
package final class Page {
    private let port: UInt16
    /// The folder of uploads, until they are sent.
    private let uploads: String
    private let reports: CommandReports
    /// The signed-in browsers. The server reads them for each request head, before it stores any of the body.
    private nonisolated let access = Mutex(PageAccess())
    /// The daemon's API. The reference is weak, because the API owns the routes, and they own this object.
    private weak var control: Control?
    private var serving: Serving?

    /// A listener, with the task that serves its requests.
    private struct Serving {
        let rules: PageRules
        let task: Task<Void, Never>
        var end: ScheduledTimer?
    }

    /// - Parameters:
    ///   - port: the port to listen on; 0 lets the kernel choose
    ///   - state: the daemon's own folder
    package init(port: UInt16 = 0, in state: String) {
        self.port = port
        uploads = "\(state)/page"
        reports = CommandReports(state: state)
    }

    /// Forwards the requests of browsers to the daemon's API.
    package func answer(by control: Control) { self.control = control }

    /// Stops listening. All browsers are signed out.
    package func stop() {
        serving?.task.cancel()
        serving?.end?.cancel()
        serving = nil
        access.withLock { $0 = PageAccess() }
    }

    // MARK: Routes of the socket

    package var routes: [ControlRoute] {
        [
            ControlRoute("POST", "/v1/page", "serve the page, and make an address that opens it once") { [self] _ in
                .lines([try await self.open()])
            },
            ControlRoute("GET", "/v1/page/browsers", "list the browsers that may use the page") { [self] _ in
                .lines(self.access.withLock { $0.signedIn }.map(Self.news))
            },
            ControlRoute("DELETE", "/v1/page/browsers/{browser}", "sign a browser out") { [self] call in
                let number = Int(call.values["browser"] ?? "")
                guard let number, self.access.withLock({ $0.signOut(number) }) else {
                    throw HouseholdError(
                        ErrorCode(.notFound, "page.unknown-browser"),
                        "no browser has that number",
                        nextStep: "GET /v1/page/browsers lists them"
                    )
                }
                self.stopLater()
                return .lines([SessionNews.done()])
            },
            ControlRoute("GET", "/v1/games", "list the games that are found on this machine") { [reports] _ in
                .text(try await reports.lines(of: ["games"]), type: ControlReply.lines)
            },
            ControlRoute("POST", "/v1/games/{game}", "share a game that was found, with all machines") {
                [reports] call in
                let game = call.values["game"] ?? ""
                // With another letter, `huddle share` takes the word for a path.
                guard game.first?.isLetter == true || game.first?.isNumber == true, !game.contains("/") else {
                    throw HouseholdError(
                        ErrorCode(.notFound, "games.not-found"),
                        "no game “\(PrintableText(game, limit: 80))” was found here",
                        nextStep: "GET /v1/games lists them"
                    )
                }
                return .text(try await reports.lines(of: ["share"], game), type: ControlReply.lines)
            },
            ControlRoute("GET", "/v1/doctor", "look for what keeps machines from each other") { [reports] _ in
                .text(try await reports.lines(of: ["doctor"]), type: ControlReply.lines)
            },
        ]
    }

    private static func news(_ browser: PageAccess.Browser) -> SessionNews {
        SessionNews("browser", nil, "\(browser.number)  \(PrintableText(browser.agent, limit: 200))") {
            ($0.number, $0.name) = (Int64(browser.number), browser.agent)
        }
    }

    private func open() async throws -> SessionNews {
        if serving == nil { await PageUpload.removeAll(in: uploads) }
        let rules = try serving?.rules ?? serve()
        let token = access.withLock { $0.token(at: .now) }
        stopLater()
        let address = "http://127.0.0.1:\(rules.port)/#t=\(token.text)"
        return SessionNews("page", nil, address) { $0.text = address }
    }

    private func serve() throws -> PageRules {
        let socket = try LoopbackSocket(port: port)
        let rules = PageRules(port: socket.address.port)
        var limits = ControlLimits()
        limits.bodyBytes = 8 << 20
        let server = ControlServer(
            listeningOn: socket,
            limits: limits,
            uploads: { method, path in method == "PUT" && path.first == "files" },
            checking: { [weak self] head in
                (rules.refusal(of: head) ?? self?.refusal(of: head, rules)).map(Self.protected)
            }
        ) { [weak self] request in
            guard let self else { return .refusal(503, "the page has gone") }
            return Self.protected(await self.answer(request, rules))
        }
        serving = Serving(rules: rules, task: Task { try? await server.run() })
        return rules
    }

    /// Stops once no token and no browser is left.
    private func stopLater() {
        serving?.end?.cancel()
        guard let end = access.withLock({ $0.end(at: .now) }) else { return stop() }
        serving?.end = Engine.schedule(at: end) { [weak self] in self?.stopLater() }
    }

    /// Refuses a request without a valid key that needs one, before its body takes memory or disk space.
    private nonisolated func refusal(of head: RequestHead, _ rules: PageRules) -> ControlResponse? {
        guard rules.needsKey(head) else { return rules.refusal(ofBody: head) }
        guard !isSignedIn(rules.key(of: head)) else { return nil }
        return .refusal(401, "this browser is signed out: run `huddle open`")
    }

    private nonisolated func isSignedIn(_ key: PageSecret?) -> Bool {
        guard let key else { return false }
        return access.withLock { $0.browser(key, at: .now) } != nil
    }

    // MARK: Requests of browsers

    private func answer(_ request: ControlRequest, _ rules: PageRules) async -> ControlResponse {
        let head = RequestHead(request.method, request.path, headers: request.headers)
        if head.path == ["session"] { return session(request) }
        guard rules.needsKey(head) else { return Self.file(request) }
        guard let control, let key = rules.key(of: head) else { return .refusal(503, "the page has gone") }
        if let upload = request.upload { return await send(upload, request.path, control, for: key) }
        let question = ControlQuestion(request.method, request.path, query: request.query, body: request.body)
        return response(await control.answer(question), for: key)
    }

    private func response(_ reply: ControlReply, for key: PageSecret) -> ControlResponse {
        var response: ControlResponse
        switch reply.body {
        case .bytes(let bytes): response = ControlResponse(status: reply.status, type: reply.type, .bytes(bytes))
        case .stream(let source):
            response = ControlResponse(
                status: reply.status,
                type: reply.type,
                .stream { [weak self] in
                    let bytes = try await source()
                    // Without this, a browser that was signed out meanwhile would still receive events.
                    guard self?.isSignedIn(key) == true else { throw CancellationError() }
                    return bytes
                }
            )
        }
        response.allowed = reply.allowed
        return response
    }

    /// Stores an uploaded file, `PUT /files/{peer}/{name}`, and sends it to a machine.
    private func send(
        _ upload: @escaping ControlRequest.Upload,
        _ path: [String],
        _ control: Control,
        for key: PageSecret
    ) async -> ControlResponse {
        guard path.count == 3, let name = try? FileName(path[2]) else {
            return .refusal(400, "this is no name of a file")
        }
        do {
            let file = try await PageUpload.make(name, in: uploads)
            try await file.take(upload)
            var body = JSONFields()
            body.set("peer", path[1])
            body.set("paths", [file.path])
            let question = ControlQuestion("POST", ["v1", "sends"], body: Array(body.line.utf8))
            let reply = await control.answer(question)
            guard case .stream(let source) = reply.body else { return response(reply, for: key) }
            return ControlResponse(
                status: reply.status,
                type: reply.type,
                .stream {
                    // The file goes with the last reference to it.
                    defer { withExtendedLifetime(file) {} }
                    return try await source()
                }
            )
        } catch {
            return .refusal(409, "the file could not be taken: \(error)")
        }
    }

    /// Signs a browser in with the token of its address.
    private func session(_ request: ControlRequest) -> ControlResponse {
        guard request.method == "POST" else { return .refusal(405, "a browser signs in with POST") }
        guard let token = PageSecret(String(decoding: request.body, as: UTF8.self)),
            let key = access.withLock({ $0.signIn(with: token, as: request.headers["user-agent"] ?? "", at: .now) })
        else { return .refusal(401, "this address has been used, or is older than a minute: run `huddle open` again") }
        stopLater()
        return ControlResponse(.bytes(Array("{\"key\":\"\(key.text)\"}\n".utf8)))
    }

    private static func file(_ request: ControlRequest) -> ControlResponse {
        guard request.method == "GET" || request.method == "HEAD" else { return .refusal(405, "files are only read") }
        guard request.path.count <= 1, let file = PageFile.all[request.path.first ?? ""] else {
            return .refusal(404, "there is no such file")
        }
        return ControlResponse(type: file.type, .bytes(file.bytes))
    }

    private nonisolated static func protected(_ response: ControlResponse) -> ControlResponse {
        var response = response
        response.headers.merge(PageRules.headers) { own, _ in own }
        return response
    }
}
