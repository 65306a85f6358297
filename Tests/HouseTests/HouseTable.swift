/// The house as it is to be: which module stands on which floor and what it may import. `docs/contributing.md` has the rules and their reasons.
///
/// A new module joins by one line here, one in `Package.swift` and a `.docc` page of its own.
enum HouseTable {
    static let rooms: [Room] = [
        Room("CDNSSD", floor: 0, imports: []),
        Room("CLinux", floor: 0, imports: []),
        Room("CSQLite", floor: 0, imports: []),
        Room("COpenSSL", floor: 0, imports: []),
        Room("CXXHash", floor: 0, imports: []),
        Room("Vocabulary", floor: 1, imports: []),
        Room("LinuxPlatform", floor: 1, imports: ["CLinux", "Glibc", "Synchronization", "Vocabulary"]),
        Room("CommandTable", floor: 2, imports: ["Vocabulary"]),
        Room("Wire", floor: 2, imports: ["Vocabulary"]),
        Room("SessionRules", floor: 2, imports: ["Vocabulary"]),
        Room("Discovery", floor: 3, imports: ["CDNSSD", "Glibc", "LinuxPlatform", "Synchronization", "Vocabulary"]),
        Room("Ledger", floor: 3, imports: ["CSQLite", "Glibc", "LinuxPlatform", "Synchronization", "Vocabulary"]),
        Room("Transport", floor: 3, imports: ["COpenSSL", "Glibc", "LinuxPlatform", "Synchronization", "Vocabulary"]),
        Room(
            "Resources",
            floor: 3,
            imports: ["CXXHash", "Glibc", "LinuxPlatform", "Synchronization", "Vocabulary"]
        ),
        Room(
            "Session",
            floor: 4,
            imports: [
                "Discovery", "Glibc", "Ledger", "LinuxPlatform", "Resources", "SessionRules", "Synchronization",
                "Transport", "Vocabulary", "Wire",
            ]
        ),
        Room(
            "huddle",
            floor: 6,
            imports: [
                "CommandTable", "Discovery", "FoundationEssentials", "Glibc", "Ledger", "LinuxPlatform", "Session",
                "SessionRules", "Synchronization", "Transport", "Vocabulary",
            ]
        ),
    ]

    /// What only tests and developers use. It stands beside the house, so that floors don't bind it, and sees no engine:
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
        Room(
            "discovery-benchmark",
            floor: 6,
            in: "Tests/Benchmarks/DiscoveryBenchmark",
            imports: [
                "Discovery", "FoundationEssentials", "Glibc", "LabKit", "LinuxPlatform", "Vocabulary", "Yardstick",
            ]
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
            "resources-benchmark",
            floor: 6,
            in: "Tests/Benchmarks/ResourcesBenchmark",
            imports: ["Glibc", "LinuxPlatform", "Resources", "TestSupport", "Vocabulary"]
        ),
        Room(
            "TestSupport",
            floor: 5,
            in: "Tests/Support/TestSupport",
            imports: ["CLinux", "Glibc", "LinuxPlatform", "Synchronization", "Testing", "Vocabulary"]
        ),
        Room(
            "Yardstick",
            floor: 5,
            in: "Tests/Benchmarks/Yardstick",
            imports: ["COpenSSL", "FoundationEssentials", "Glibc"]
        ),
        Room("WireProperties", floor: 5, in: "Tests/Fuzz/WireProperties", imports: ["Wire"]),
        Room(
            "Workbench",
            floor: 5,
            in: "Tests/Workbench",
            imports: ["CLinux", "FoundationEssentials", "Glibc", "Synchronization", "Testing"]
        ),
    ]

    /// Modules that the design names and that have no content yet. Each moves up into `rooms` with its first file.
    static let toCome: [(name: String, floor: Int)] = [
        ("CSystemd", 0), ("CZstd", 0), ("SecureArchive", 2), ("GameState", 3),
        ("SecureCoding", 4),
        ("MultipeerConnectivity", 5), ("SaveSync", 5),
        ("huddled", 6),
    ]

    /// Why a module may not be imported where the table does not list it.
    static let reasons: [String: String] = [
        "Foundation": "Foundation adds 61 MB to a static binary and time to every start: only SecureCoding and above",
        "FoundationEssentials":
            "FoundationEssentials is for the programs, huddle and huddled: the floors below are pure",
        "Dispatch": "one event loop in the house, that of LinuxPlatform; see docs/decisions",
        "CDNSSD": "only Discovery knows that there is Avahi; everybody else asks Discovery",
        "CSQLite": "only the Ledger knows that there is SQLite; everybody else asks the Ledger",
        "COpenSSL": "only Transport knows that there is OpenSSL; everybody else asks Transport",
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
