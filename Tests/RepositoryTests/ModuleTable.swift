/// The layer of each module, and the modules that it may import. `docs/internals/contributing.md` has the rules and
/// their reasons.
///
/// A new module joins by one line here, one in `Package.swift` and a `.docc` page of its own.
enum ModuleTable {
    static let rows: [ModuleRow] = [
        ModuleRow("CDNSSD", layer: 0, imports: []),
        ModuleRow("CLinux", layer: 0, imports: []),
        ModuleRow("CSQLite", layer: 0, imports: []),
        ModuleRow("COpenSSL", layer: 0, imports: []),
        ModuleRow("CXXHash", layer: 0, imports: []),
        ModuleRow("CZstd", layer: 0, imports: []),
        ModuleRow("CMicroHTTPD", layer: 0, imports: []),
        ModuleRow("CDBus", layer: 0, imports: []),
        ModuleRow("CLZ4", layer: 0, imports: []),
        ModuleRow("CYAML", layer: 0, imports: []),
        ModuleRow("CMultipeerConnectivity", layer: 0, imports: []),
        ModuleRow("Vocabulary", layer: 1, imports: []),
        ModuleRow("LinuxPlatform", layer: 1, imports: ["CLinux", "Glibc", "Synchronization", "Vocabulary"]),
        ModuleRow("CommandTable", layer: 2, imports: ["Vocabulary"]),
        ModuleRow("Wire", layer: 2, imports: ["Vocabulary"]),
        ModuleRow("SessionRules", layer: 2, imports: ["Vocabulary"]),
        ModuleRow("SecureArchive", layer: 2, imports: ["Vocabulary"]),
        ModuleRow("Digests", layer: 2, imports: ["COpenSSL", "LinuxPlatform"]),
        ModuleRow("Database", layer: 2, imports: ["CSQLite", "Glibc"]),
        ModuleRow("SaveRules", layer: 2, imports: ["Vocabulary"]),
        ModuleRow("Diagnosis", layer: 2, imports: ["Vocabulary"]),
        ModuleRow(
            "Discovery",
            layer: 3,
            imports: ["CDNSSD", "Glibc", "LinuxPlatform", "Synchronization", "Vocabulary"]
        ),
        ModuleRow(
            "GameState",
            layer: 3,
            imports: ["Database", "Glibc", "LinuxPlatform", "SecureArchive", "SessionRules", "Vocabulary"]
        ),
        ModuleRow(
            "Ledger",
            layer: 3,
            imports: ["Database", "Glibc", "LinuxPlatform", "SaveRules", "Synchronization", "Vocabulary"]
        ),
        ModuleRow(
            "Transport",
            layer: 3,
            imports: ["COpenSSL", "Digests", "Glibc", "LinuxPlatform", "Synchronization", "Vocabulary"]
        ),
        ModuleRow(
            "History",
            layer: 3,
            imports: ["CZstd", "Digests", "Glibc", "LinuxPlatform", "SaveRules", "Synchronization", "Vocabulary"]
        ),
        ModuleRow(
            "Resources",
            layer: 3,
            imports: ["CXXHash", "Glibc", "LinuxPlatform", "Synchronization", "Vocabulary"]
        ),
        ModuleRow(
            "Games",
            layer: 3,
            imports: ["CYAML", "Database", "Glibc", "LinuxPlatform", "SecureArchive", "Vocabulary"]
        ),
        ModuleRow("Desktop", layer: 3, imports: ["CDBus", "Glibc", "LinuxPlatform", "Vocabulary"]),
        ModuleRow("ControlServer", layer: 3, imports: ["CMicroHTTPD", "Glibc", "LinuxPlatform", "Vocabulary"]),
        ModuleRow(
            "Session",
            layer: 4,
            imports: [
                "Digests", "Discovery", "Glibc", "Ledger", "LinuxPlatform", "Resources", "SecureArchive",
                "SessionRules", "Synchronization", "Transport", "Vocabulary", "Wire",
            ]
        ),
        ModuleRow("SecureCoding", layer: 4, imports: ["Foundation", "SecureArchive", "Vocabulary"]),
        ModuleRow(
            "Household",
            layer: 5,
            imports: [
                "CommandTable", "Discovery", "Glibc", "Ledger", "LinuxPlatform", "Resources", "SaveRules",
                "SecureArchive", "Session", "SessionRules", "Vocabulary",
            ]
        ),
        ModuleRow(
            "Control",
            layer: 5,
            imports: [
                "Discovery", "Household", "Ledger", "LinuxPlatform", "SaveRules", "SecureArchive", "Session",
                "SessionRules", "Vocabulary",
            ]
        ),
        ModuleRow(
            "SyncthingBridge",
            layer: 4,
            imports: ["CLZ4", "Digests", "LinuxPlatform", "Transport", "Vocabulary"]
        ),
        ModuleRow(
            "SaveFolder",
            layer: 4,
            imports: ["Digests", "Glibc", "History", "LinuxPlatform", "SaveRules", "Synchronization", "Vocabulary"]
        ),
        ModuleRow(
            "SaveSync",
            layer: 5,
            imports: [
                "Digests", "GameState", "Glibc", "History", "Ledger", "LinuxPlatform", "SaveFolder", "SaveRules",
                "SecureArchive", "Session", "SessionRules", "Synchronization", "Transport", "Vocabulary",
            ]
        ),
        ModuleRow(
            "SaveService",
            layer: 5,
            imports: [
                "Control", "GameState", "Glibc", "History", "Household", "Ledger", "LinuxPlatform", "SaveFolder",
                "SaveRules", "SaveSync", "Session", "Vocabulary",
            ]
        ),
        ModuleRow(
            "Bridges",
            layer: 5,
            imports: [
                "Control", "ControlServer", "Digests", "Glibc", "Household", "Ledger", "LinuxPlatform", "SaveRules",
                "SaveSync", "SecureArchive", "Synchronization", "SyncthingBridge", "Transport", "Vocabulary",
            ]
        ),
        ModuleRow(
            "Notifier",
            layer: 5,
            imports: ["Desktop", "Glibc", "Household", "LinuxPlatform", "Session", "SessionRules", "Vocabulary"]
        ),
        ModuleRow(
            "Page",
            layer: 5,
            imports: [
                "Control", "ControlServer", "Glibc", "Household", "LinuxPlatform", "Synchronization", "Transport",
                "Vocabulary",
            ]
        ),
        ModuleRow(
            "MultipeerConnectivity",
            layer: 5,
            imports: [
                "CMultipeerConnectivity", "Discovery", "Dispatch", "Foundation", "Glibc", "LinuxPlatform",
                "Observation", "SecureArchive", "SecureCoding", "Session", "SessionRules", "Synchronization",
                "Transport", "Vocabulary",
            ]
        ),
        ModuleRow(
            "tictactoe",
            layer: 6,
            imports: [
                "Foundation", "GameState", "LinuxPlatform", "MultipeerConnectivity", "SecureArchive", "Vocabulary",
            ]
        ),
        ModuleRow(
            "huddle",
            layer: 6,
            imports: [
                "CommandTable", "Control", "Diagnosis", "Discovery", "FoundationEssentials", "GameState", "Games",
                "Glibc", "Household", "Ledger", "LinuxPlatform", "SaveFolder", "SaveRules", "SecureArchive",
                "SessionRules",
                "Synchronization", "Transport", "Vocabulary",
            ]
        ),
        ModuleRow(
            "huddled",
            layer: 6,
            imports: [
                "Bridges", "CommandTable", "Control", "ControlServer", "Desktop", "Discovery", "Games", "Glibc",
                "Notifier", "Household", "Ledger", "LinuxPlatform", "Page", "SaveService", "SaveSync", "Session",
                "Synchronization", "Vocabulary",
            ]
        ),
    ]

    /// Test tools: modules that only tests and developers use. Layers do not bind them, and they import no engine:
    /// the lab examines a program from outside.
    static let testTools: [ModuleRow] = [
        ModuleRow("CNamespaces", layer: 0, in: "Tests/Lab/CNamespaces", imports: []),
        ModuleRow(
            "LabKit",
            layer: 5,
            in: "Tests/Lab/LabKit",
            imports: [
                "CLinux", "CNamespaces", "FoundationEssentials", "Glibc", "LinuxPlatform", "Synchronization",
                "Vocabulary",
            ]
        ),
        ModuleRow(
            "lab",
            layer: 6,
            in: "Tests/Lab/lab",
            imports: ["CLinux", "Glibc", "LabKit", "LinuxPlatform", "Synchronization", "Vocabulary"]
        ),
        ModuleRow("CWrongClock", layer: 0, in: "Tests/Lab/CWrongClock", imports: []),
        // It puts the daemon's own engine on a virtual clock, network and disk.
        ModuleRow(
            "simulate",
            layer: 6,
            in: "Tests/Simulator/Households",
            imports: [
                "CLinux", "Digests", "Glibc", "History", "Ledger", "LinuxPlatform", "SaveFolder", "SaveRules",
                "SaveSync",
                "Session", "Synchronization", "Transport", "Vocabulary",
            ]
        ),
        // It reads files on the disk, and asks the daemon as people do.
        ModuleRow(
            "torture",
            layer: 6,
            in: "Tests/Lab/Torture",
            imports: [
                "Digests", "FoundationEssentials", "Glibc", "History", "LabKit", "LinuxPlatform", "SaveFolder",
                "SaveRules", "TestSupport", "Vocabulary",
            ]
        ),
        ModuleRow(
            "discovery-benchmark",
            layer: 6,
            in: "Tests/Benchmarks/DiscoveryBenchmark",
            imports: [
                "Discovery", "FoundationEssentials", "Glibc", "LabKit", "LinuxPlatform", "Vocabulary", "Yardstick",
            ]
        ),
        ModuleRow(
            "daemon-benchmark",
            layer: 6,
            in: "Tests/Benchmarks/DaemonBenchmark",
            imports: ["Glibc", "LinuxPlatform", "TestSupport", "Yardstick"]
        ),
        ModuleRow(
            "loop-benchmark",
            layer: 6,
            in: "Tests/Benchmarks/LoopBenchmark",
            imports: ["CLinux", "Dispatch", "Glibc", "LinuxPlatform", "Synchronization", "TestSupport"]
        ),
        ModuleRow(
            "transport-benchmark",
            layer: 6,
            in: "Tests/Benchmarks/TransportBenchmark",
            imports: ["Glibc", "LinuxPlatform", "Synchronization", "TestSupport", "Transport", "Yardstick"]
        ),
        ModuleRow(
            "session-benchmark",
            layer: 6,
            in: "Tests/Benchmarks/SessionBenchmark",
            imports: [
                "FoundationEssentials", "Glibc", "LabKit", "LinuxPlatform", "Session", "SessionRules", "Transport",
                "Vocabulary", "Yardstick",
            ]
        ),
        ModuleRow(
            "multipeer-benchmark",
            layer: 6,
            in: "Tests/Benchmarks/MultipeerBenchmark",
            imports: [
                "Foundation", "LinuxPlatform", "MultipeerConnectivity", "Session", "SessionRules", "Synchronization",
                "Vocabulary", "Yardstick",
            ]
        ),
        ModuleRow(
            "saves-benchmark",
            layer: 6,
            in: "Tests/Benchmarks/SavesBenchmark",
            imports: ["FoundationEssentials", "Glibc", "LabKit", "LinuxPlatform", "TestSupport", "Yardstick"]
        ),
        ModuleRow(
            "resources-benchmark",
            layer: 6,
            in: "Tests/Benchmarks/ResourcesBenchmark",
            imports: ["Glibc", "LinuxPlatform", "Resources", "TestSupport", "Vocabulary"]
        ),
        ModuleRow(
            "archive-benchmark",
            layer: 6,
            in: "Tests/Benchmarks/ArchiveBenchmark",
            imports: ["Foundation", "SecureArchive", "SecureCoding", "Yardstick"]
        ),
        ModuleRow(
            "history-benchmark",
            layer: 6,
            in: "Tests/Benchmarks/HistoryBenchmark",
            imports: [
                "Digests", "Glibc", "History", "Ledger", "LinuxPlatform", "SaveRules", "SaveSync", "Session",
                "TestSupport", "Transport", "Vocabulary", "Yardstick",
            ]
        ),
        ModuleRow(
            "save-folder-benchmark",
            layer: 6,
            in: "Tests/Benchmarks/SaveFolderBenchmark",
            imports: [
                "Digests", "Glibc", "History", "LinuxPlatform", "SaveFolder", "SaveRules", "TestSupport", "Vocabulary",
                "Yardstick",
            ]
        ),
        ModuleRow(
            "TestSupport",
            layer: 5,
            in: "Tests/Support/TestSupport",
            imports: ["CLinux", "Glibc", "LinuxPlatform", "Synchronization", "Testing", "Vocabulary"]
        ),
        ModuleRow(
            "ScriptedPeers",
            layer: 6,
            in: "Tests/Support/ScriptedPeers",
            imports: [
                "Digests", "Glibc", "Ledger", "LinuxPlatform", "Session", "SessionRules", "Transport", "Vocabulary",
                "Wire",
            ]
        ),
        ModuleRow(
            "SyncthingPrograms",
            layer: 6,
            in: "Tests/Support/SyncthingPrograms",
            imports: ["Glibc", "LinuxPlatform", "SyncthingBridge", "TestSupport", "Vocabulary", "Workbench"]
        ),
        ModuleRow(
            "NotificationService",
            layer: 6,
            in: "Tests/Support/NotificationService",
            imports: ["FoundationEssentials", "Glibc", "LinuxPlatform", "Testing", "Workbench"]
        ),
        ModuleRow(
            "save-crash",
            layer: 6,
            in: "Tests/Support/SaveCrash",
            imports: [
                "Digests", "Glibc", "History", "LinuxPlatform", "SaveFolder", "SaveRules", "Synchronization",
                "Vocabulary",
            ]
        ),
        ModuleRow(
            "RawTLS",
            layer: 5,
            in: "Tests/Support/RawTLS",
            imports: ["COpenSSL", "Glibc", "LinuxPlatform", "TestSupport", "Testing"]
        ),
        ModuleRow(
            "Yardstick",
            layer: 5,
            in: "Tests/Benchmarks/Yardstick",
            imports: ["COpenSSL", "FoundationEssentials", "Glibc"]
        ),
        ModuleRow(
            "GameTrees",
            layer: 6,
            in: "Tests/Support/GameTrees",
            imports: ["Database", "Glibc", "LinuxPlatform", "TestSupport"]
        ),
        ModuleRow("GameProperties", layer: 6, in: "Tests/Fuzz/GameProperties", imports: ["Games"]),
        ModuleRow(
            "ArchiveProperties",
            layer: 5,
            in: "Tests/Fuzz/ArchiveProperties",
            imports: ["SecureArchive", "Vocabulary"]
        ),
        ModuleRow(
            "AppleStyleGames",
            layer: 6,
            in: "Tests/Support/AppleStyleGames",
            imports: ["Foundation", "MultipeerConnectivity"]
        ),
        ModuleRow(
            "ModernAppleStyleGames",
            layer: 6,
            in: "Tests/Support/ModernAppleStyleGames",
            imports: ["MultipeerConnectivity", "Observation"]
        ),
        ModuleRow(
            "multipeer-lobby",
            layer: 6,
            in: "Tests/Support/MultipeerLobby",
            imports: ["MultipeerConnectivity"]
        ),
        ModuleRow(
            "multipeer-player",
            layer: 6,
            in: "Tests/Support/MultipeerPlayer",
            imports: ["MultipeerConnectivity"]
        ),
        ModuleRow("WireProperties", layer: 5, in: "Tests/Fuzz/WireProperties", imports: ["Wire"]),
        ModuleRow(
            "CodingProperties",
            layer: 5,
            in: "Tests/Fuzz/CodingProperties",
            imports: ["ArchiveProperties", "Foundation", "SecureArchive", "SecureCoding"]
        ),
        ModuleRow(
            "hostile-cases",
            layer: 6,
            in: "Tests/Fuzz/HostileCases",
            imports: [
                "ArchiveProperties", "CodingProperties", "Database", "GameState", "Glibc", "ScoreProperties",
                "SecureArchive", "TestSupport",
            ]
        ),
        ModuleRow("ScoreProperties", layer: 5, in: "Tests/Fuzz/ScoreProperties", imports: ["GameState"]),
        ModuleRow("SyncthingProperties", layer: 5, in: "Tests/Fuzz/SyncthingProperties", imports: ["SyncthingBridge"]),
        ModuleRow("SaveProperties", layer: 5, in: "Tests/Fuzz/SaveProperties", imports: ["SaveRules", "Vocabulary"]),
        ModuleRow(
            "Workbench",
            layer: 5,
            in: "Tests/Workbench",
            imports: ["CLinux", "FoundationEssentials", "Glibc", "Synchronization", "Testing"]
        ),
    ]

    /// Why a module may not be imported where the table does not list it.
    static let reasons: [String: String] = [
        "Foundation": "Foundation adds 61 MB to a static binary and time to every start: only SecureCoding and above",
        "FoundationEssentials":
            "FoundationEssentials is for the programs, huddle and huddled: the layers below are pure",
        "Dispatch": "one event loop in the program, that of LinuxPlatform; see docs/internals/decisions",
        "CDNSSD": "only Discovery knows that there is Avahi; all other modules ask Discovery",
        "CSQLite": "only Database knows that there is SQLite; all other modules ask it",
        "COpenSSL": "only Digests and Transport know that there is OpenSSL; all other modules ask them",
        "CLZ4": "only SyncthingBridge reads messages of Syncthing",
        "CDBus": "only Desktop speaks D-Bus; Avahi's library does so by itself",
        "CMicroHTTPD": "only ControlServer speaks HTTP",
        "CZstd": "only History knows that there is zstd; all other modules ask it for pieces",
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

    static func row(_ name: String) -> ModuleRow? {
        rows.first { $0.name == name }
    }
}

/// A module and what it may import.
struct ModuleRow: Sendable {
    let name: String
    let layer: Int
    let folder: String
    /// Everything it may import; what of it is a module of this repository, `Package.swift` declares as its dependency.
    let imports: Set<String>

    init(_ name: String, layer: Int, in folder: String? = nil, imports: Set<String>) {
        self.name = name
        self.layer = layer
        self.folder = folder ?? "Sources/\(name)"
        self.imports = imports
    }
}
