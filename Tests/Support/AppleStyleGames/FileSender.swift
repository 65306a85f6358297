// swift-format-ignore-file
// because this is code as it is written for iOS, and stays so

import MultipeerConnectivity

public enum TransferError: Error { case noPeers, failed(Error) }

/// Files to all peers with progress bars: observed progresses, a group of transfers, one progress above all.
public final class FileSender: NSObject {
    public private(set) var received: [URL] = []
    public var onFraction: ((Double) -> Void)?
    public var onReceived: ((URL) -> Void)?
    public var onReceiving: ((Double) -> Void)?
    public var onStatus: ((String) -> Void)?

    private var observations: [NSKeyValueObservation] = []
    private var overallObservation: NSKeyValueObservation?
    private let folder: URL
    public let session: MCSession

    public init(peer: MCPeerID, folder: URL) {
        self.folder = folder
        session = MCSession(peer: peer, securityIdentity: nil, encryptionPreference: .required)
        super.init()
        session.delegate = self
    }

    public func send(file url: URL, completion: @escaping (Result<Int, TransferError>) -> Void) {
        let peers = session.connectedPeers
        guard !peers.isEmpty else { completion(.failure(.noPeers)); return }
        let group = DispatchGroup()
        var failure: Error?
        let overall = Progress(totalUnitCount: Int64(peers.count))
        overall.kind = .file
        overall.fileOperationKind = .copying
        overall.fileURL = url
        overall.fileTotalCount = peers.count
        overall.fileCompletedCount = 0
        for peer in peers {
            group.enter()
            let progress = session.sendResource(at: url, withName: url.lastPathComponent, toPeer: peer) { error in
                if let error = error { failure = error } else { overall.fileCompletedCount! += 1 }  // because it is set above
                group.leave()
            }
            guard let transfer = progress else { continue }
            overall.addChild(transfer, withPendingUnitCount: 1)
            observations.append(transfer.observe(\.isCancelled, options: .new) { _, change in
                if change.newValue == true { NSLog("a transfer was cancelled") }
            })
        }
        overallObservation = overall.observe(\.fractionCompleted, options: [.initial, .new]) { [weak self] progress, change in
            self?.onFraction?(change.newValue ?? progress.fractionCompleted)
        }
        group.notify(queue: DispatchQueue.global()) {
            self.observations.forEach { $0.invalidate() }
            self.observations.removeAll()
            self.onStatus?(self.status(of: overall))
            if let failure = failure { completion(.failure(.failed(failure))) } else { completion(.success(peers.count)) }
        }
    }
}

extension FileSender {
    private func status(of progress: Progress) -> String {
        var words = progress.fileURL?.lastPathComponent ?? "?"
        if let done = progress.fileCompletedCount, let total = progress.fileTotalCount { words += " \(done)/\(total)" }
        if let rate = progress.throughput { words += " at \(ByteCountFormatter.string(fromByteCount: Int64(rate), countStyle: .file))/s" }
        if let left = progress.estimatedTimeRemaining { words += ", \(Int(left.rounded())) s left" }
        return words
    }
}

extension FileSender: MCSessionDelegate {
    public func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {}

    public func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {}

    public func session(_ session: MCSession, didReceive stream: InputStream, withName streamName: String, fromPeer peerID: MCPeerID) {}

    public func session(_ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, with progress: Progress) {
        observations.append(progress.observe(\.completedUnitCount, options: [.initial]) { [weak self] (progress, _) in
            if let self, progress.estimatedTimeRemaining == 0 { self.onStatus?(self.status(of: progress)) }
            self?.onReceiving?(Double(progress.completedUnitCount) / Double(progress.totalUnitCount))
        })
    }

    public func session(_ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID, at localURL: URL?, withError error: Error?) {
        guard let localURL = localURL, error == nil else {
            if let error = error as? MCError, error.code == .cancelled { return }
            if let error = error as NSError?, error.domain == MCErrorDomain, error.code == MCError.cancelled.rawValue { return }
            return
        }
        let destination = folder.appendingPathComponent(resourceName)
        do {
            if FileManager.default.fileExists(atPath: destination.path) { try FileManager.default.removeItem(at: destination) }
            try FileManager.default.moveItem(at: localURL, to: destination)
            received.append(destination)
            onReceived?(destination)
        } catch {
            NSLog("%@", error.localizedDescription)
        }
    }
}
