package import Control
import ControlServer
import Household
package import LinuxPlatform
import Synchronization
import Transport
import Vocabulary

/// The web page of this machine: its listeners, the signed-in browsers, and the responses to them.
///
/// It listens only while the user wants it: from the first `huddle open` until the last browser is signed out. Browsers
/// of other machines use a listener of their own, which starts with `huddle open --network`.
@Engine
package final class Page {
    private let port: UInt16
    /// The daemon's state folder.
    private let state: String
    /// The folder that keeps uploads until they are sent.
    private let uploads: String
    private let reports: CommandReports
    /// The signed-in browsers. The server reads them for each request head, before it stores any of the body.
    private nonisolated let access = Mutex(PageAccess())
    /// The daemon's API. The reference is weak, because the API owns the routes, and the routes own this object.
    private weak var control: Control?
    private var serving: [PageReach: Serving] = [:]
    /// Wakes the responses that still run, each time that a browser may have been signed out.
    private let signOuts = SignOuts()

    /// A listener, with the task that serves its requests.
    private struct Serving {
        let rules: PageRules
        let task: Task<Void, Never>
        var end: ScheduledTimer?
    }

    /// - Parameters:
    ///   - port: the port to listen on; 0 lets the kernel choose
    ///   - state: the daemon's state folder
    package init(port: UInt16 = 0, in state: String) {
        (self.port, self.state) = (port, state)
        uploads = "\(state)/page"
        reports = CommandReports(state: state)
    }

    /// Forwards the requests of browsers to the daemon's API.
    package func answer(by control: Control) { self.control = control }

    /// Stops all listeners, and signs all browsers out.
    package func stop() { for reach in PageReach.allCases { stop(reach) } }

    /// Stops a listener, and signs all its browsers out.
    private func stop(_ reach: PageReach) {
        serving[reach]?.task.cancel()
        serving[reach]?.end?.cancel()
        serving[reach] = nil
        access.withLock { $0.close(reach) }
    }

    // MARK: Routes of the socket

    package var routes: [ControlRoute] {
        [
            ControlRoute(.openPage) { [self] _ in
                .lines([try await self.open()])
            },
            ControlRoute(.openPageToNetwork) { [self] _ in
                .lines([try await self.openToNetwork()])
            },
            ControlRoute(.closePageToNetwork) { [self] _ in
                self.stop(.network)
                return .lines([DaemonLine.done()])
            },
            ControlRoute(.browsers) { [self] _ in
                .lines(self.access.withLock { $0.signedIn }.map(Self.line))
            },
            ControlRoute(.allowBrowser) { [self] call in
                try self.change(call) { $0.allowChanges(by: $1) }
            },
            ControlRoute(.signOutBrowser) { [self] call in
                try self.change(call) { $0.signOut($1) }
            },
            ControlRoute(.foundGames) { [reports] _ in
                .text(try await reports.lines(of: ["games"]), type: APIResponse.lines)
            },
            ControlRoute(.shareFoundGame) { [reports] call in
                let game = call.values["game"] ?? ""
                // If the name began with another character, `huddle share` would take it for a path.
                guard game.first?.isLetter == true || game.first?.isNumber == true, !game.contains("/") else {
                    throw HouseholdError(
                        ErrorCode(.notFound, "games.not-found"),
                        "no game “\(PrintableText(game, limit: 80))” was found here",
                        nextStep: "\(Endpoint.foundGames) lists them"
                    )
                }
                return .text(try await reports.lines(of: ["share"], game), type: APIResponse.lines)
            },
            ControlRoute(.doctor) { [reports] _ in
                .text(try await reports.lines(of: ["doctor"]), type: APIResponse.lines)
            },
        ]
    }

    private func change(
        _ call: RouteCall,
        _ change: (inout PageAccess, _ browser: Int) -> Bool
    ) throws -> RouteAnswer {
        guard let number = Int(call.values["browser"] ?? ""), access.withLock({ change(&$0, number) }) else {
            throw HouseholdError(
                ErrorCode(.notFound, "page.unknown-browser"),
                "no such browser has that number",
                nextStep: "`huddle open --browsers` lists them"
            )
        }
        stopLater()
        return .lines([DaemonLine.done()])
    }

    private static func line(_ browser: PageAccess.Browser) -> DaemonLine {
        let right =
            switch browser.right {
            case .all: "on this machine"
            case .read: "on another machine, only looks"
            case .change: "on another machine, may change things"
            }
        let agent = PrintableText(browser.agent, limit: 200)
        let event = BrowserEvent(browser.number, name: browser.agent, right: browser.right.rawValue)
        return DaemonLine(.browser(event), "\(browser.number)  \(right.padded(to: 37))  \(agent)")
    }

    private func open() async throws -> DaemonLine {
        let rules = try await rules(.loopback)
        let token = access.withLock { $0.token(at: .now) }
        stopLater()
        let address = "http://127.0.0.1:\(rules.port)/#t=\(token.text)"
        return DaemonLine(.page(PageEvent(address)), address)
    }

    private func openToNetwork() async throws -> DaemonLine {
        let interfaces = try NetworkInterface.all().filter { $0.isRunning && !$0.isLoopback }
        let own = interfaces.flatMap(\.addresses).first { address in
            if case .v4 = address { address.isPrivate } else { false }
        }
        guard let own else {
            throw HouseholdError(
                ErrorCode(.offline, "page.no-network"),
                "this machine has no private IPv4 address, so no other device in its network can open the page",
                nextStep: "connect it to your network, then try again"
            )
        }
        let rules = try await rules(.network)
        let code = access.withLock { $0.code(at: .now) }
        stopLater()
        let address = "https://\(own):\(rules.port)/"
        let sentence = """
            On the telephone or other device, open \(address)
            Its browser warns once, because this machine itself vouches for its page: continue.
            Then type this code there: \(code.prefix(3)) \(code.suffix(3))
            """
        return DaemonLine(.page(PageEvent(address, code: code)), sentence)
    }

    private func rules(_ reach: PageReach) async throws -> PageRules {
        if let rules = serving[reach]?.rules { return rules }
        if serving.isEmpty { await PageUpload.removeAll(in: uploads) }
        switch reach {
        case .loopback: return try serve(reach, on: LibraryListener(.loopback, port: port))
        case .network:
            let state = state
            let identity = try await runBlocking("page") { try BrowserIdentity.loadOrCreate(in: state) }
            // Another call may have opened the listener meanwhile.
            if let rules = serving[reach]?.rules { return rules }
            return try serve(reach, on: LibraryListener(.network(identity: identity.text)))
        }
    }

    private func serve(_ reach: PageReach, on socket: LibraryListener) -> PageRules {
        let rules = PageRules(reach: reach, port: socket.address.port, name: MachineName.multicast)
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
        serving[reach] = Serving(rules: rules, task: Task { try? await server.run() })
        return rules
    }

    /// Stops each listener as soon as it has no token, code or browser left.
    private func stopLater() {
        signOuts.tell()
        for reach in serving.keys {
            serving[reach]?.end?.cancel()
            guard let end = access.withLock({ $0.end(of: reach, at: .now) }) else {
                stop(reach)
                continue
            }
            serving[reach]?.end = Engine.schedule(at: end) { [weak self] in self?.stopLater() }
        }
    }

    /// Refuses a request that needs a valid key and has none, before its body takes memory or disk space.
    private nonisolated func refusal(of head: RequestHead, _ rules: PageRules) -> ControlResponse? {
        guard rules.needsKey(head) else { return rules.refusal(ofBody: head) }
        guard let browser = browser(rules.key(of: head), rules) else {
            return .refusal(401, "this browser is signed out: run `huddle open`")
        }
        return rules.refusal(of: head, by: browser)
    }

    /// Returns the signed-in browser with this key, if it uses the listener of these rules.
    private nonisolated func browser(_ key: PageSecret?, _ rules: PageRules) -> PageAccess.Browser? {
        guard let key, let browser = access.withLock({ $0.browser(key, at: .now) }) else { return nil }
        return browser.right.reach == rules.reach ? browser : nil
    }

    // MARK: Requests of browsers

    private func answer(_ request: ControlRequest, _ rules: PageRules) async -> ControlResponse {
        let head = RequestHead(request.method, request.path, headers: request.headers)
        if head.path == ["session"] { return session(request, head, rules) }
        guard rules.needsKey(head) else { return Self.file(request) }
        guard let control, let key = rules.key(of: head) else { return .refusal(503, "the page has gone") }
        let isSignedIn: @Sendable () -> Bool = { [weak self] in self?.browser(key, rules) != nil }
        if let upload = request.upload { return await send(upload, request.path, control, while: isSignedIn) }
        let request = APIRequest(request.method, request.path, query: request.query, body: request.body)
        return httpResponse(await control.answer(request), while: isSignedIn)
    }

    private func httpResponse(
        _ answer: APIResponse,
        while isSignedIn: @escaping @Sendable () -> Bool
    ) -> ControlResponse {
        var response: ControlResponse
        switch answer.body {
        case .bytes(let bytes): response = ControlResponse(status: answer.status, type: answer.type, .bytes(bytes))
        case .stream(let source):
            response = ControlResponse(
                status: answer.status,
                type: answer.type,
                .stream { [signOuts] in try await signOuts.whileSignedIn(isSignedIn, source) }
            )
        }
        response.allowed = answer.allowed
        return response
    }

    /// Stores an uploaded file, `PUT /files/{peer}/{name}`, and sends it to a machine.
    private func send(
        _ upload: @escaping ControlRequest.Upload,
        _ path: [String],
        _ control: Control,
        while isSignedIn: @escaping @Sendable () -> Bool
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
            let request = Endpoint.sendFiles.request(saying: body)
            let response = await control.answer(request)
            guard case .stream(let source) = response.body else { return httpResponse(response, while: isSignedIn) }
            return ControlResponse(
                status: response.status,
                type: response.type,
                .stream {
                    // The last reference to the file removes it.
                    defer { withExtendedLifetime(file) {} }
                    return try await source()
                }
            )
        } catch {
            return .refusal(409, "the file could not be taken: \(error)")
        }
    }

    /// Signs a browser in with the token of its address or with a code. For a GET, responds with the browser's number
    /// and right.
    private func session(_ request: ControlRequest, _ head: RequestHead, _ rules: PageRules) -> ControlResponse {
        if request.method == "GET" {
            guard let browser = browser(rules.key(of: head), rules) else { return .refusal(401, "signed out") }
            var fields = JSONFields()
            fields.set("number", browser.number)
            fields.set("right", browser.right.rawValue)
            return ControlResponse(.bytes(Array("\(fields.line)\n".utf8)))
        }
        guard request.method == "POST" else { return .refusal(405, "a browser signs in with POST") }
        let (typed, agent) = (String(decoding: request.body, as: UTF8.self), request.headers["user-agent"] ?? "")
        let key = access.withLock { access in
            switch rules.reach {
            case .loopback: PageSecret(typed).flatMap { access.signIn(with: $0, as: agent, at: .now) }
            case .network: access.signIn(withCode: typed, as: agent, at: .now)
            }
        }
        // A wrong code may have been the last one that counts.
        defer { stopLater() }
        guard let key else {
            return .refusal(
                401,
                rules.reach == .loopback
                    ? "this address has been used, or is older than a minute: run `huddle open` again"
                    : "this is not the code, or it has ended: run `huddle open --network` again"
            )
        }
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
