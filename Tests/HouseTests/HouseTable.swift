/// The house as it is to be: which module stands on which floor and what it may import. `docs/internals/contributing.md` has the rules and their reasons.
///
/// A new module joins by one line here, one in `Package.swift` and a `.docc` page of its own.
enum HouseTable {
    static let rooms: [Room] = [
        Room("CDNSSD", floor: 0, imports: []),
        Room("CLinux", floor: 0, imports: []),
        Room("CSQLite", floor: 0, imports: []),
        Room("COpenSSL", floor: 0, imports: []),
        Room("CXXHash", floor: 0, imports: []),
        Room("CZstd", floor: 0, imports: []),
        Room("CMicroHTTPD", floor: 0, imports: []),
        Room("CDBus", floor: 0, imports: []),
        Room("CLZ4", floor: 0, imports: []),
        Room("CYAML", floor: 0, imports: []),
        Room("CMultipeerConnectivity", floor: 0, imports: []),
        Room("Vocabulary", floor: 1, imports: []),
        Room("LinuxPlatform", floor: 1, imports: ["CLinux", "Glibc", "Synchronization", "Vocabulary"]),
        Room("CommandTable", floor: 2, imports: ["Vocabulary"]),
        Room("Wire", floor: 2, imports: ["Vocabulary"]),
        Room("SessionRules", floor: 2, imports: ["Vocabulary"]),
        Room("SecureArchive", floor: 2, imports: ["Vocabulary"]),
        Room("Digests", floor: 2, imports: ["COpenSSL", "LinuxPlatform"]),
        Room("Database", floor: 2, imports: ["CSQLite", "Glibc"]),
        Room("SaveRules", floor: 2, imports: ["Vocabulary"]),
        Room("Diagnosis", floor: 2, imports: ["Vocabulary"]),
        Room("Discovery", floor: 3, imports: ["CDNSSD", "Glibc", "LinuxPlatform", "Synchronization", "Vocabulary"]),
        Room(
            "GameState",
            floor: 3,
            imports: ["Database", "Glibc", "LinuxPlatform", "SecureArchive", "SessionRules", "Vocabulary"]
        ),
        Room(
            "Ledger",
            floor: 3,
            imports: ["Database", "Glibc", "LinuxPlatform", "SaveRules", "Synchronization", "Vocabulary"]
        ),
        Room(
            "Transport",
            floor: 3,
            imports: ["COpenSSL", "Digests", "Glibc", "LinuxPlatform", "Synchronization", "Vocabulary"]
        ),
        Room(
            "History",
            floor: 3,
            imports: ["CZstd", "Digests", "Glibc", "LinuxPlatform", "SaveRules", "Synchronization", "Vocabulary"]
        ),
        Room(
            "Resources",
            floor: 3,
            imports: ["CXXHash", "Glibc", "LinuxPlatform", "Synchronization", "Vocabulary"]
        ),
        Room(
            "Games",
            floor: 3,
            imports: ["CYAML", "Database", "Glibc", "LinuxPlatform", "SecureArchive", "Vocabulary"]
        ),
        Room("Desktop", floor: 3, imports: ["CDBus", "Glibc", "LinuxPlatform", "Vocabulary"]),
        Room("ControlServer", floor: 3, imports: ["CMicroHTTPD", "Glibc", "LinuxPlatform", "Vocabulary"]),
        Room(
            "Session",
            floor: 4,
            imports: [
                "Digests", "Discovery", "Glibc", "Ledger", "LinuxPlatform", "Resources", "SecureArchive",
                "SessionRules", "Synchronization", "Transport", "Vocabulary", "Wire",
            ]
        ),
        Room("SecureCoding", floor: 4, imports: ["Foundation", "SecureArchive", "Vocabulary"]),
        Room(
            "Household",
            floor: 5,
            imports: [
                "CommandTable", "Discovery", "Glibc", "Ledger", "LinuxPlatform", "Resources", "SaveRules",
                "SecureArchive", "Session", "SessionRules", "Vocabulary",
            ]
        ),
        Room(
            "Control",
            floor: 5,
            imports: [
                "Discovery", "Household", "Ledger", "LinuxPlatform", "SaveRules", "SecureArchive", "Session",
                "SessionRules", "Vocabulary",
            ]
        ),
        Room(
            "SyncthingBridge",
            floor: 4,
            imports: ["CLZ4", "Digests", "LinuxPlatform", "Transport", "Vocabulary"]
        ),
        Room(
            "SaveFolder",
            floor: 4,
            imports: ["Digests", "Glibc", "History", "LinuxPlatform", "SaveRules", "Synchronization", "Vocabulary"]
        ),
        Room(
            "SaveSync",
            floor: 5,
            imports: [
                "Digests", "GameState", "Glibc", "History", "Ledger", "LinuxPlatform", "SaveFolder", "SaveRules",
                "SecureArchive", "Session", "SessionRules", "Synchronization", "Transport", "Vocabulary",
            ]
        ),
        Room(
            "SaveService",
            floor: 5,
            imports: [
                "Control", "GameState", "Glibc", "History", "Household", "Ledger", "LinuxPlatform", "SaveFolder",
                "SaveRules", "SaveSync", "Session", "Vocabulary",
            ]
        ),
        Room(
            "Bridges",
            floor: 5,
            imports: [
                "Control", "ControlServer", "Digests", "Glibc", "Household", "Ledger", "LinuxPlatform", "SaveRules",
                "SaveSync", "SecureArchive", "Synchronization", "Transport", "Vocabulary",
            ]
        ),
        Room(
            "Herald",
            floor: 5,
            imports: ["Desktop", "Glibc", "Household", "LinuxPlatform", "Session", "SessionRules", "Vocabulary"]
        ),
        Room(
            "Page",
            floor: 5,
            imports: [
                "Control", "ControlServer", "Glibc", "Household", "LinuxPlatform", "Synchronization", "Transport",
                "Vocabulary",
            ]
        ),
        Room(
            "MultipeerConnectivity",
            floor: 5,
            imports: [
                "CMultipeerConnectivity", "Discovery", "Dispatch", "Foundation", "Glibc", "LinuxPlatform",
                "Observation", "SecureArchive", "SecureCoding", "Session", "SessionRules", "Synchronization",
                "Transport", "Vocabulary",
            ]
        ),
        Room(
            "tictactoe",
            floor: 6,
            imports: [
                "Foundation", "GameState", "LinuxPlatform", "MultipeerConnectivity", "SecureArchive", "Vocabulary",
            ]
        ),
        Room(
            "huddle",
            floor: 6,
            imports: [
                "CommandTable", "Control", "Diagnosis", "Discovery", "FoundationEssentials", "GameState", "Games",
                "Glibc", "Household", "Ledger", "LinuxPlatform", "SaveFolder", "SaveRules", "SecureArchive",
                "SessionRules",
                "Synchronization", "Transport", "Vocabulary",
            ]
        ),
        Room(
            "huddled",
            floor: 6,
            imports: [
                "Bridges", "CommandTable", "Control", "ControlServer", "Desktop", "Discovery", "Games", "Glibc",
                "Herald", "Household", "Ledger", "LinuxPlatform", "Page", "SaveService", "SaveSync", "Session",
                "Synchronization", "Vocabulary",
            ]
        ),
    ]

    /// Modules that only tests and developers use. It stands beside the house, so that floors don't bind it, and sees no engine:
    /// what the lab finds out about a program, it finds out from outside.
    static let workshop: [Room] = [
        Room("CNamespaces", floor: 0, in: "Tests/Lab/CNamespaces", imports: []),
        Room(
            "LabKit",
            floor: 5,
            in: "Tests/Lab/LabKit",
            imports: [
                "CLinux", "CNamespaces", "FoundationEssentials", "Glibc", "LinuxPlatform", "Synchronization",
                "Vocabulary",
            ]
        ),
        Room(
            "lab",
            floor: 6,
            in: "Tests/Lab/lab",
            imports: ["CLinux", "Glibc", "LabKit", "LinuxPlatform", "Synchronization", "Vocabulary"]
        ),
        Room("CWrongClock", floor: 0, in: "Tests/Lab/CWrongClock", imports: []),
        // It puts the daemon's own engine on a virtual clock, network and disk.
        Room(
            "simulate",
            floor: 6,
            in: "Tests/Simulator/Households",
            imports: [
                "CLinux", "Digests", "Glibc", "History", "Ledger", "LinuxPlatform", "SaveFolder", "SaveRules",
                "SaveSync",
                "Session", "Synchronization", "Transport", "Vocabulary",
            ]
        ),
        // It reads what lies on the disk, and asks the daemon as people do.
        Room(
            "torture",
            floor: 6,
            in: "Tests/Lab/Torture",
            imports: [
                "Digests", "FoundationEssentials", "Glibc", "History", "LabKit", "LinuxPlatform", "SaveFolder",
                "SaveRules", "TestSupport", "Vocabulary",
            ]
        ),
        Room(
            "discovery-benchmark",
            floor: 6,
            in: "Tests/Benchmarks/DiscoveryBenchmark",
            imports: [
                "Discovery", "FoundationEssentials", "Glibc", "LabKit", "LinuxPlatform", "Vocabulary", "Yardstick",
            ]
        ),
        Room(
            "daemon-benchmark",
            floor: 6,
            in: "Tests/Benchmarks/DaemonBenchmark",
            imports: ["Glibc", "LinuxPlatform", "TestSupport", "Yardstick"]
        ),
        Room(
            "loop-benchmark",
            floor: 6,
            in: "Tests/Benchmarks/LoopBenchmark",
            imports: ["CLinux", "Dispatch", "Glibc", "LinuxPlatform", "Synchronization", "TestSupport"]
        ),
        Room(
            "transport-benchmark",
            floor: 6,
            in: "Tests/Benchmarks/TransportBenchmark",
            imports: ["Glibc", "LinuxPlatform", "Synchronization", "TestSupport", "Transport", "Yardstick"]
        ),
        Room(
            "session-benchmark",
            floor: 6,
            in: "Tests/Benchmarks/SessionBenchmark",
            imports: [
                "FoundationEssentials", "Glibc", "LabKit", "LinuxPlatform", "Session", "SessionRules", "Transport",
                "Vocabulary", "Yardstick",
            ]
        ),
        Room(
            "multipeer-benchmark",
            floor: 6,
            in: "Tests/Benchmarks/MultipeerBenchmark",
            imports: [
                "Foundation", "LinuxPlatform", "MultipeerConnectivity", "Session", "SessionRules", "Synchronization",
                "Vocabulary", "Yardstick",
            ]
        ),
        Room(
            "saves-benchmark",
            floor: 6,
            in: "Tests/Benchmarks/SavesBenchmark",
            imports: ["FoundationEssentials", "Glibc", "LabKit", "LinuxPlatform", "TestSupport", "Yardstick"]
        ),
        Room(
            "resources-benchmark",
            floor: 6,
            in: "Tests/Benchmarks/ResourcesBenchmark",
            imports: ["Glibc", "LinuxPlatform", "Resources", "TestSupport", "Vocabulary"]
        ),
        Room(
            "archive-benchmark",
            floor: 6,
            in: "Tests/Benchmarks/ArchiveBenchmark",
            imports: ["Foundation", "SecureArchive", "SecureCoding", "Yardstick"]
        ),
        Room(
            "history-benchmark",
            floor: 6,
            in: "Tests/Benchmarks/HistoryBenchmark",
            imports: [
                "Digests", "Glibc", "History", "Ledger", "LinuxPlatform", "SaveRules", "SaveSync", "Session",
                "TestSupport", "Transport", "Vocabulary", "Yardstick",
            ]
        ),
        Room(
            "save-folder-benchmark",
            floor: 6,
            in: "Tests/Benchmarks/SaveFolderBenchmark",
            imports: [
                "Digests", "Glibc", "History", "LinuxPlatform", "SaveFolder", "SaveRules", "TestSupport", "Vocabulary",
                "Yardstick",
            ]
        ),
        Room(
            "TestSupport",
            floor: 5,
            in: "Tests/Support/TestSupport",
            imports: ["CLinux", "Glibc", "LinuxPlatform", "Synchronization", "Testing", "Vocabulary"]
        ),
        Room(
            "ScriptedPeers",
            floor: 6,
            in: "Tests/Support/ScriptedPeers",
            imports: [
                "Digests", "Glibc", "Ledger", "LinuxPlatform", "Session", "SessionRules", "Transport", "Vocabulary",
                "Wire",
            ]
        ),
        Room(
            "NotificationService",
            floor: 6,
            in: "Tests/Support/NotificationService",
            imports: ["FoundationEssentials", "Glibc", "LinuxPlatform", "Testing", "Workbench"]
        ),
        Room(
            "save-crash",
            floor: 6,
            in: "Tests/Support/SaveCrash",
            imports: [
                "Digests", "Glibc", "History", "LinuxPlatform", "SaveFolder", "SaveRules", "Synchronization",
                "Vocabulary",
            ]
        ),
        Room(
            "RawTLS",
            floor: 5,
            in: "Tests/Support/RawTLS",
            imports: ["COpenSSL", "Glibc", "LinuxPlatform", "TestSupport", "Testing"]
        ),
        Room(
            "Yardstick",
            floor: 5,
            in: "Tests/Benchmarks/Yardstick",
            imports: ["COpenSSL", "FoundationEssentials", "Glibc"]
        ),
        Room(
            "GameTrees",
            floor: 6,
            in: "Tests/Support/GameTrees",
            imports: ["Database", "Glibc", "LinuxPlatform", "TestSupport"]
        ),
        Room("GameProperties", floor: 6, in: "Tests/Fuzz/GameProperties", imports: ["Games"]),
        Room(
            "ArchiveProperties",
            floor: 5,
            in: "Tests/Fuzz/ArchiveProperties",
            imports: ["SecureArchive", "Vocabulary"]
        ),
        Room(
            "AppleStyleGames",
            floor: 6,
            in: "Tests/Support/AppleStyleGames",
            imports: ["Foundation", "MultipeerConnectivity"]
        ),
        Room(
            "ModernAppleStyleGames",
            floor: 6,
            in: "Tests/Support/ModernAppleStyleGames",
            imports: ["MultipeerConnectivity", "Observation"]
        ),
        Room(
            "multipeer-lobby",
            floor: 6,
            in: "Tests/Support/MultipeerLobby",
            imports: ["MultipeerConnectivity"]
        ),
        Room(
            "multipeer-player",
            floor: 6,
            in: "Tests/Support/MultipeerPlayer",
            imports: ["MultipeerConnectivity"]
        ),
        Room("WireProperties", floor: 5, in: "Tests/Fuzz/WireProperties", imports: ["Wire"]),
        Room(
            "CodingProperties",
            floor: 5,
            in: "Tests/Fuzz/CodingProperties",
            imports: ["ArchiveProperties", "Foundation", "SecureArchive", "SecureCoding"]
        ),
        Room(
            "hostile-cases",
            floor: 6,
            in: "Tests/Fuzz/HostileCases",
            imports: [
                "ArchiveProperties", "CodingProperties", "Database", "GameState", "Glibc", "ScoreProperties",
                "SecureArchive", "TestSupport",
            ]
        ),
        Room("ScoreProperties", floor: 5, in: "Tests/Fuzz/ScoreProperties", imports: ["GameState"]),
        Room("SyncthingProperties", floor: 5, in: "Tests/Fuzz/SyncthingProperties", imports: ["SyncthingBridge"]),
        Room("SaveProperties", floor: 5, in: "Tests/Fuzz/SaveProperties", imports: ["SaveRules", "Vocabulary"]),
        Room(
            "Workbench",
            floor: 5,
            in: "Tests/Workbench",
            imports: ["CLinux", "FoundationEssentials", "Glibc", "Synchronization", "Testing"]
        ),
    ]

    /// Why a module may not be imported where the table does not list it.
    static let reasons: [String: String] = [
        "Foundation": "Foundation adds 61 MB to a static binary and time to every start: only SecureCoding and above",
        "FoundationEssentials":
            "FoundationEssentials is for the programs, huddle and huddled: the floors below are pure",
        "Dispatch": "one event loop in the house, that of LinuxPlatform; see docs/internals/decisions",
        "CDNSSD": "only Discovery knows that there is Avahi; everybody else asks Discovery",
        "CSQLite": "only Database knows that there is SQLite; everybody else asks it",
        "COpenSSL": "only Digests and Transport know that there is OpenSSL; everybody else asks them",
        "CLZ4": "only SyncthingBridge reads messages of Syncthing",
        "CDBus": "only Desktop speaks D-Bus; Avahi's library does so by itself",
        "CMicroHTTPD": "only ControlServer speaks HTTP",
        "CZstd": "only History knows that there is zstd; everybody else asks it for pieces",
        "CXXHash": "only Resources hashes what it moves; ask it for a digest",
        "CLinux": "only LinuxPlatform makes calls that Glibc's module leaves out; ask it for a wrapper",
        "Glibc": "modules below the programs are pure or ask LinuxPlatform; who needs libc itself says so in the table",
        "Synchronization": "a lock means shared state; who needs one says so in the table",
    ]

    /// Why a module's row is as short as it is.
    static let rowReasons: [String: String] = [
        "Vocabulary": "Vocabulary must import nothing: everything else imports it",
        "CommandTable": "CommandTable is pure: its text is printed and its words are fetched by the program",
        "SessionRules": "SessionRules is pure: time, chance and hashes are handed in, others do what follows",
        "SaveRules": "SaveRules is pure: time and hashes are handed in, others read, write and send",
    ]

    static func room(_ name: String) -> Room? {
        rooms.first { $0.name == name }
    }
}

/// One module of the house.
struct Room: Sendable {
    let name: String
    let floor: Int
    let folder: String
    /// Everything it may import; what of it is a module of the house, `Package.swift` declares as its dependency.
    let imports: Set<String>

    init(_ name: String, floor: Int, in folder: String? = nil, imports: Set<String>) {
        self.name = name
        self.floor = floor
        self.folder = folder ?? "Sources/\(name)"
        self.imports = imports
    }
}
