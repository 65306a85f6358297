import Digests
package import LinuxPlatform

/// One connection to a device, and the folders that are shared over it.
@Engine
package final class DeviceSession {
    private let channel: DeviceChannel
    private let own: DeviceID
    private let folders: [String: SharedFolder]
    private let learn: @Engine (ClusterConfig) -> Void
    /// The folders whose index both sides have announced, and the sequence that was sent of each.
    private var sent: [String: Int64] = [:]
    /// The folders for which an index is being sent.
    private var sending: Set<String> = []
    private var requests: [Int32: Resumption<BlockResponse>] = [:]
    private var lastRequest: Int32 = 0
    private var silenceTimer: ScheduledTimer?

    private static let batchCount = 1_000
    /// The silence after which a Ping is sent, and after which the connection counts as lost: those of Syncthing.
    private static let pingInterval = Duration.seconds(90)
    private static let silenceLimit = Duration.seconds(300)
    private static let responseLimit = Duration.seconds(120)

    /// - Parameters:
    ///   - own: the id of this household
    ///   - folders: those that are shared with the device
    ///   - learn: receives the folders that the device shares
    package init(
        over channel: DeviceChannel,
        as own: DeviceID,
        folders: [SharedFolder],
        learning learn: @escaping @Engine (ClusterConfig) -> Void = { _ in }
    ) {
        (self.channel, self.own, self.learn) = (channel, own, learn)
        self.folders = Dictionary(folders.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Exchanges messages until the connection ends.
    package func run() async throws {
        watch()
        defer { end() }
        try await channel.send(.clusterConfig(config))
        guard case .clusterConfig(let config)? = try await channel.receive() else {
            throw ProtocolViolation("did not begin with its folders")
        }
        learn(config)
        begin(config)
        while let message = try await channel.receive() {
            guard try await handle(message) else { return }
        }
    }

    /// Ends the connection, and sends the reason to the device.
    package func close(because reason: String) async { await channel.close(because: reason) }

    /// Cuts the connection at once.
    package func abort() { channel.abort() }

    private func end() {
        silenceTimer?.cancel()
        channel.abort()
        for folder in folders.values { folder.disconnect(self) }
        for request in requests.values { request.resume(with: .failure(ProtocolViolation("went offline"))) }
        requests = [:]
    }

    // MARK: Messages

    private var config: ClusterConfig {
        ClusterConfig(
            folders: folders.values.sorted { $0.id < $1.id }.map { folder in
                var shared = ClusterConfig.Folder(id: folder.id, label: folder.label)
                let (mine, theirs) = (folder.rules.own, folder.rules.theirs)
                shared.devices = [
                    ClusterConfig.Device(id: own, name: "", indexID: mine.id, sequence: folder.announced),
                    ClusterConfig.Device(
                        id: channel.device,
                        name: "",
                        indexID: theirs.id,
                        sequence: theirs.sequence
                    ),
                ]
                return shared
            }
        )
    }

    private func begin(_ config: ClusterConfig) {
        for shared in config.folders where !shared.isPaused {
            guard let folder = folders[shared.id], let their = shared.devices.first(where: { $0.id == channel.device })
            else { continue }
            let known = shared.devices.first { $0.id == own }
            let mine = folder.rules.own
            // A device that has this very index needs only the rest of it.
            let isKnown = known.map { $0.indexID == mine.id && $0.sequence <= folder.announced } ?? false
            sent[shared.id] = isKnown ? known?.sequence ?? 0 : -1
            folder.connect(self, index: their.indexID, upTo: their.sequence)
            announce(folder)
        }
    }

    /// - Returns: false at the device's last message
    private func handle(_ message: DeviceMessage) async throws -> Bool {
        switch message {
        case .index(let index):
            // A device may send only folders that both sides share.
            guard let folder = folders[index.folder], sent[index.folder] != nil else { return true }
            try folder.take(index)
        case .request(let request): try await channel.send(.response(response(to: request)))
        case .response(let response): requests.removeValue(forKey: response.id)?.resume(with: .success(response))
        case .close: return false
        case .clusterConfig, .ping, .other: break
        }
        return true
    }

    private func response(to request: BlockRequest) async -> BlockResponse {
        guard let folder = folders[request.folder], sent[request.folder] != nil, !request.isForPartial else {
            return BlockResponse(id: request.id, code: .noSuchFile, data: [])
        }
        do {
            guard let bytes = try await folder.bytes(for: request) else {
                return BlockResponse(id: request.id, code: .noSuchFile, data: [])
            }
            return BlockResponse(id: request.id, code: .fine, data: bytes)
        } catch {
            return BlockResponse(id: request.id, code: .failed, data: [])
        }
    }

    // MARK: The index

    /// Sends the part of a folder's index that the device does not have yet.
    func announce(_ folder: SharedFolder) {
        guard sent[folder.id] != nil, sending.insert(folder.id).inserted else { return }
        Task {
            defer { sending.remove(folder.id) }
            do {
                while try await sendChanges(of: folder) {}
            } catch {
                channel.abort()
            }
        }
    }

    /// - Returns: true if there may be more
    private func sendChanges(of folder: SharedFolder) async throws -> Bool {
        guard let last = sent[folder.id] else { return false }
        let changes = Array(folder.changes(after: last).prefix(Self.batchCount))
        guard last < 0 || !changes.isEmpty else { return false }
        sent[folder.id] = changes.last?.sequence ?? 0
        let extent: IndexMessage.Extent = last < 0 ? .whole : .update
        try await channel.send(.index(IndexMessage(folder: folder.id, extent: extent, entries: changes)))
        return true
    }

    // MARK: Blocks

    /// Requests a block, and checks that it is the announced one.
    func bytes(of block: FileBlock, in name: String, folder: String) async throws -> [UInt8] {
        lastRequest &+= 1
        let id = lastRequest
        let resumption = Resumption<BlockResponse>()
        requests[id] = resumption
        // Without the limit, a device that answers pings and no request would delay its version forever.
        let timer = Engine.schedule(at: .now + Self.responseLimit) { @Sendable [weak self] in
            self?.requests.removeValue(forKey: id)?.resume(with: .failure(ProtocolViolation("did not send a block")))
        }
        defer {
            timer.cancel()
            requests[id] = nil
        }
        try await channel.send(.request(BlockRequest(id: id, folder: folder, name: name, block: block)))
        let response = try await resumption.valueUnlessCancelled()
        guard response.code == .fine else { throw ProtocolViolation("has not the block that it announced") }
        let digest = response.data.withUnsafeBytes { Digest.sha256($0) }
        guard response.data.count == Int(block.size), digest == block.digest else {
            throw ProtocolViolation("sent another block than it announced")
        }
        return response.data
    }

    // MARK: Silence

    private func watch() {
        silenceTimer = Engine.schedule(at: .now + Self.pingInterval / 2) { @Sendable [weak self] in
            self?.checkSilence()
        }
    }

    private func checkSilence() {
        guard channel.lastReceived + Self.silenceLimit > .now else { return channel.abort() }
        if channel.lastSent + Self.pingInterval < .now {
            Task { try? await channel.send(.ping) }
        }
        watch()
    }
}
