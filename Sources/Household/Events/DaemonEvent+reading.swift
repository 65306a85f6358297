import Vocabulary

extension DaemonEvent {
    /// The facts of the line.
    package var payload: any EventPayload {
        switch self {
        case .done(let payload): payload
        case .failed(let payload): payload
        case .trouble(let payload): payload
        case .missed(let payload): payload
        case .ready(let payload): payload
        case .status(let payload): payload
        case .setting(let payload): payload
        case .identity(let payload): payload
        case .advertised(let payload): payload
        case .hidden(let payload): payload
        case .hookFailed(let payload): payload
        case .noDesktop(let payload): payload
        case .machineList(let payload): payload
        case .page(let payload): payload
        case .browser(let payload): payload
        case .logEntry(let payload): payload
        case .unknown(let payload): payload
        case .machine(let payload): payload
        case .machineEvent(let payload): payload
        case .invitation(let payload): payload
        case .invitationEnded(let payload): payload
        case .accepted(let payload): payload
        case .code(let payload): payload
        case .household(let payload): payload
        case .policy(let payload): payload
        case .defaultPolicy(let payload): payload
        case .message(let payload): payload
        case .inboxItem(let payload): payload
        case .progress(let payload): payload
        case .received(let payload): payload
        case .notReceived(let payload): payload
        case .sent(let payload): payload
        case .notSent(let payload): payload
        case .interrupted(let payload): payload
        case .transferResumed(let payload): payload
        case .skipped(let payload): payload
        case .stream(let payload): payload
        case .measuring(let payload): payload
        case .measured(let payload): payload
        case .notMeasured(let payload): payload
        case .game(let payload): payload
        case .offer(let payload): payload
        case .gameEvent(let payload): payload
        case .gamePeer(let payload): payload
        case .gameSharers(let payload): payload
        case .gameJoined(let payload): payload
        case .gameNotJoined(let payload): payload
        case .gameShared(let payload): payload
        case .gameNotShared(let payload): payload
        case .retroArch(let payload): payload
        case .syncthing(let payload): payload
        case .device(let payload): payload
        case .deviceAdded(let payload): payload
        case .deviceFile(let payload): payload
        case .deviceSaved(let payload): payload
        case .deviceTrouble(let payload): payload
        case .gameStopped(let payload): payload
        case .gamePaused(let payload): payload
        case .gameStatus(let payload): payload
        case .gameEmptied(let payload): payload
        case .gameLeftOut(let payload): payload
        case .playing(let payload): payload
        case .lease(let payload): payload
        case .version(let payload): payload
        case .savedFile(let payload): payload
        case .gameVersion(let payload): payload
        case .heldBack(let payload): payload
        case .keptOut(let payload): payload
        case .delivered(let payload): payload
        case .pushed(let payload): payload
        case .exported(let payload): payload
        case .marked(let payload): payload
        case .conflict(let payload): payload
        case .difference(let payload): payload
        case .more(let payload): payload
        case .choose(let payload): payload
        case .history(let payload): payload
        case .historyShare(let payload): payload
        case .checked(let payload): payload
        case .incomplete(let payload): payload
        case .damagedVersion(let payload): payload
        case .cleaned(let payload): payload
        }
    }

    /// Reads a line. A name that this program does not know makes an ``unknown(_:)`` line.
    package init(_ fields: JSONFields) throws {
        let name = try fields.text("event") ?? ""
        self =
            if let read = try Self.ambiguous(name, fields) {
                read
            } else if let read = Self.readers[name] {
                try read(fields)
            } else {
                .unknown(UnknownEvent(name))
            }
    }

    /// Reads the lines that share a name with lines of another kind. A key distinguishes them.
    private static func ambiguous(_ name: String, _ fields: JSONFields) throws -> DaemonEvent? {
        func has(_ key: String) -> Bool { fields.values[key] != nil }
        return switch name {
        case "file", "folder": .inboxItem(try InboxItemEvent(fields))
        case "message" where has("number"): .inboxItem(try InboxItemEvent(fields))
        case "returned" where has("transfer"): .transferResumed(try TransferResumedEvent(fields))
        case "left-out" where has("set"): .gameLeftOut(try GameLeftOutEvent(fields))
        case "save-set", "device": nil
        default: has("time") && has("details") ? .logEntry(try LogEntryEvent(fields)) : nil
        }
    }

    private typealias Reader = @Sendable (JSONFields) throws -> DaemonEvent

    private static let readers: [String: Reader] = fixed.merging(kinds) { first, _ in first }

    /// The readers of lines whose name is always the same.
    private static let fixed: [String: Reader] = [
        "done": { .done(try DoneEvent($0)) },
        "failed": { .failed(try FailedEvent($0)) },
        "trouble": { .trouble(try TroubleEvent($0)) },
        "missed": { .missed(try MissedEvent($0)) },
        "ready": { .ready(try ReadyEvent($0)) },
        "status": { .status(try StatusInfo($0)) },
        "setting": { .setting(try SettingEvent($0)) },
        "identity": { .identity(try IdentityEvent($0)) },
        "advertised": { .advertised(try AdvertisedEvent($0)) },
        "withdrawn": { .hidden(try HiddenEvent($0)) },
        "hook-failed": { .hookFailed(try HookFailedEvent($0)) },
        "no-desktop": { .noDesktop(try NoDesktopEvent($0)) },
        "machines": { .machineList(try MachineListEvent($0)) },
        "page": { .page(try PageEvent($0)) },
        "browser": { .browser(try BrowserEvent($0)) },
        "peer": { .machine(try MachineInfo($0)) },
        "invited": { .invitation(try InvitationEvent($0)) },
        "invitation-over": { .invitationEnded(try EndedInvitationEvent($0)) },
        "let-in": { .accepted(try AcceptedEvent($0)) },
        "code": { .code(try CodeEvent($0)) },
        "policy": { .policy(try PolicyEvent($0)) },
        "default-policy": { .defaultPolicy(try DefaultPolicyEvent($0)) },
        "message": { .message(try MessageEvent($0)) },
        "progress": { .progress(try TransferProgressEvent($0)) },
        "received": { .received(try ReceivedEvent($0)) },
        "not-received": { .notReceived(try NotReceivedEvent($0)) },
        "sent": { .sent(try SentEvent($0)) },
        "not-sent": { .notSent(try NotSentEvent($0)) },
        "interrupted": { .interrupted(try InterruptedEvent($0)) },
        "left-out": { .skipped(try SkippedEvent($0)) },
        "measuring": { .measuring(try MeasuringEvent($0)) },
        "measured": { .measured(try MeasuredEvent($0)) },
        "not-measured": { .notMeasured(try NotMeasuredEvent($0)) },
        "save-set": { .game(try GameInfo($0)) },
        "save-offer": { .offer(try OfferInfo($0)) },
        "save-joined": { .gameJoined(try GameJoinedEvent($0)) },
        "save-not-joined": { .gameNotJoined(try GameNotJoinedEvent($0)) },
        "save-shared": { .gameShared(try GameSharedEvent($0)) },
        "save-not-shared": { .gameNotShared(try GameNotSharedEvent($0)) },
        "retroarch": { .retroArch(try RetroArchEvent($0)) },
        "syncthing": { .syncthing(try SyncthingEvent($0)) },
        "device": { .device(try DeviceEvent($0)) },
        "device-added": { .deviceAdded(try DeviceAddedEvent($0)) },
        "device-file": { .deviceFile(try DeviceFileEvent($0)) },
        "device-saved": { .deviceSaved(try DeviceSavedEvent($0)) },
        "device-trouble": { .deviceTrouble(try DeviceTroubleEvent($0)) },
        "stopped": { .gameStopped(try GameStoppedEvent($0)) },
        "paused": { .gamePaused(try GamePausedEvent($0)) },
        "save-state": { .gameStatus(try GameStatusEvent($0)) },
        "emptied": { .gameEmptied(try GameEmptiedEvent($0)) },
        "playing": { .playing(try PlayingEvent($0)) },
        "lease": { .lease(try LeaseEvent($0)) },
        "version": { .version(try VersionInfo($0)) },
        "save-file": { .savedFile(try SavedFileInfo($0)) },
        "held-back": { .heldBack(try HeldBackEvent($0)) },
        "kept-out": { .keptOut(try KeptOutEvent($0)) },
        "delivered": { .delivered(try DeliveredEvent($0)) },
        "pushed": { .pushed(try PushedEvent($0)) },
        "exported": { .exported(try ExportedEvent($0)) },
        "marked": { .marked(try MarkedEvent($0)) },
        "conflict": { .conflict(try ConflictEvent($0)) },
        "difference": { .difference(try DifferenceEvent($0)) },
        "more-differ": { .more(try MoreEvent($0)) },
        "choose": { .choose(try ChooseEvent($0)) },
        "history": { .history(try HistoryEvent($0)) },
        "history-share": { .historyShare(try HistoryShareInfo($0)) },
        "checked": { .checked(try CheckedEvent($0)) },
        "damaged-version": { .damagedVersion(try DamagedVersionEvent($0)) },
        "cleaned": { .cleaned(try CleanedEvent($0)) },
    ]

    /// The readers of lines whose name says their kind.
    private static let kinds: [String: Reader] = {
        var readers: [String: Reader] = [:]
        for kind in MachineEvent.Kind.allCases { readers[kind.rawValue] = { .machineEvent(try MachineEvent($0)) } }
        for kind in HouseholdEvent.Kind.allCases { readers[kind.rawValue] = { .household(try HouseholdEvent($0)) } }
        for kind in StreamEvent.Kind.allCases { readers[kind.rawValue] = { .stream(try StreamEvent($0)) } }
        for kind in GameEvent.Kind.allCases { readers[kind.rawValue] = { .gameEvent(try GameEvent($0)) } }
        for kind in GamePeerEvent.Kind.allCases { readers[kind.rawValue] = { .gamePeer(try GamePeerEvent($0)) } }
        for kind in GameSharersEvent.Kind.allCases {
            readers[kind.rawValue] = { .gameSharers(try GameSharersEvent($0)) }
        }
        for kind in GameVersionEvent.Kind.allCases {
            readers[kind.rawValue] = { .gameVersion(try GameVersionEvent($0)) }
        }
        for kind in IncompleteEvent.Kind.allCases { readers[kind.rawValue] = { .incomplete(try IncompleteEvent($0)) } }
        return readers
    }()
}

extension DaemonEvent {
    /// Value of the key `event`.
    package var name: String { payload.event }

    /// All names that lines have, without those of log entries.
    package static var names: [String] { (readers.keys + ["file", "folder"]).sorted() }

    /// The machine that the line is about, if it names one.
    package var peer: PeerTag? { try? payload.fields.peer("peer") }

    /// The number of the transfer that the line is about, if it names one.
    package var transfer: Int? { try? payload.fields.integer("transfer") }

    /// The error that the line reports, if it reports one with its class.
    package var problem: PassedOnError? {
        if case .game = self { return nil }
        let fields = payload.fields
        return fields.values["class"] == nil ? nil : try? PassedOnError(fields)
    }

    /// The code of the error that the line reports, if it does.
    package var errorCode: String? {
        switch self {
        case .game, .status: nil
        default: (try? PassedOnError(payload.fields))?.word
        }
    }
}
