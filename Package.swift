// swift-tools-version: 6.2
import PackageDescription

/// The rules every Swift target of the house lives under.
let houseRules: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// A module of the house: one purpose, the imports it declares, the house rules.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: houseRules)
}

/// A library or a program that only tests and developers use; it lives below `Tests`.
func workshop(_ name: String, at path: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/\(path)", swiftSettings: houseRules)
}

func workshopTool(_ name: String, at path: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Tests/\(path)", swiftSettings: houseRules)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], excluding excluded: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: excluded, swiftSettings: houseRules)
}

let package = Package(
    name: "huddle",
    products: [
        .executable(name: "huddle", targets: ["huddle"]),
        .executable(name: "huddled", targets: ["huddled"]),
        .library(name: "SecureArchive", targets: ["SecureArchive", "Vocabulary"]),
        .library(name: "SecureCoding", targets: ["SecureCoding", "SecureArchive", "Vocabulary"]),
        .library(name: "MultipeerConnectivity", targets: ["MultipeerConnectivity"]),
        // Loaded into programs under test; see its header.
        .library(name: "wrong-clock", type: .dynamic, targets: ["CWrongClock"]),
        .library(name: "Discovery", targets: ["Discovery", "LinuxPlatform", "Vocabulary"]),
    ],
    targets: [
        // Floor 0: C libraries, each behind a module map.
        .systemLibrary(
            name: "CDNSSD",
            pkgConfig: "avahi-compat-libdns_sd",
            providers: [.apt(["libavahi-compat-libdnssd-dev"])]
        ),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // The kernel's own calls come with libc and have no pkg-config file.
        .systemLibrary(name: "CLinux", providers: [.apt(["libc6-dev", "linux-libc-dev"])]),

        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),

        .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),

        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),

        .systemLibrary(
            name: "CMicroHTTPD",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]
        ),

        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),

        .systemLibrary(name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"])]),

        .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),

        // No library, but what lets `import MultipeerConnectivity.MCPeerID` be written.
        .systemLibrary(name: "CMultipeerConnectivity"),

        // Floor 1.
        room("Vocabulary"),
        room("LinuxPlatform", ["CLinux", "Vocabulary"]),

        // Floor 2.
        room("CommandTable", ["Vocabulary"]),
        room("Wire", ["Vocabulary"]),
        room("SessionRules", ["Vocabulary"]),
        room("SecureArchive", ["Vocabulary"]),
        room("Database", ["CSQLite"]),
        room("Digests", ["COpenSSL", "LinuxPlatform"]),
        room("SaveRules", ["Vocabulary"]),
        room("Diagnosis", ["Vocabulary"]),

        // Floor 3.
        room("Discovery", ["CDNSSD", "LinuxPlatform", "Vocabulary"]),
        room("Ledger", ["Database", "LinuxPlatform", "SaveRules", "Vocabulary"]),
        room("GameState", ["Database", "LinuxPlatform", "SecureArchive", "SessionRules", "Vocabulary"]),
        room("Transport", ["COpenSSL", "Digests", "LinuxPlatform", "Vocabulary"]),
        room("History", ["CZstd", "Digests", "LinuxPlatform", "SaveRules", "Vocabulary"]),
        room("Resources", ["CXXHash", "LinuxPlatform", "Vocabulary"]),

        room("ControlServer", ["CMicroHTTPD", "LinuxPlatform", "Vocabulary"]),
        .target(
            name: "Page",
            dependencies: ["Control", "ControlServer", "Household", "LinuxPlatform", "Transport", "Vocabulary"],
            resources: [.embedInCode("Files")],
            swiftSettings: houseRules
        ),

        room("Games", ["CYAML", "Database", "LinuxPlatform", "SecureArchive", "Vocabulary"]),

        room("Desktop", ["CDBus", "LinuxPlatform", "Vocabulary"]),

        // Floor 4.
        room(
            "Session",
            [
                "Digests", "Discovery", "Ledger", "LinuxPlatform", "Resources", "SecureArchive", "SessionRules",
                "Transport", "Vocabulary", "Wire",
            ]
        ),

        room("SecureCoding", ["SecureArchive", "Vocabulary"]),
        room("SyncthingBridge", ["CLZ4", "Digests", "LinuxPlatform", "Transport", "Vocabulary"]),
        room("SaveFolder", ["Digests", "History", "LinuxPlatform", "SaveRules", "Vocabulary"]),

        // Floor 5.
        room(
            "Household",
            [
                "CommandTable", "Discovery", "Ledger", "LinuxPlatform", "Resources", "SaveRules", "SecureArchive",
                "Session", "SessionRules", "Vocabulary",
            ]
        ),
        room(
            "Control",
            [
                "Discovery", "Household", "Ledger", "LinuxPlatform", "SaveRules", "SecureArchive", "Session",
                "SessionRules", "Vocabulary",
            ]
        ),
        room(
            "SaveSync",
            [
                "Digests", "GameState", "History", "Ledger", "LinuxPlatform", "SaveFolder", "SaveRules",
                "SecureArchive", "Session", "SessionRules", "Transport", "Vocabulary",
            ]
        ),

        room(
            "SaveService",
            [
                "Control", "GameState", "History", "Household", "Ledger", "LinuxPlatform", "SaveFolder", "SaveRules",
                "SaveSync", "Session", "Vocabulary",
            ]
        ),
        room(
            "Bridges",
            [
                "Control", "ControlServer", "Digests", "Household", "Ledger", "LinuxPlatform", "SaveRules", "SaveSync",
                "SecureArchive", "Transport", "Vocabulary",
            ]
        ),
        room(
            "MultipeerConnectivity",
            [
                "CMultipeerConnectivity", "Discovery", "LinuxPlatform", "SecureArchive", "SecureCoding", "Session",
                "SessionRules", "Transport", "Vocabulary",
            ]
        ),

        room("Herald", ["Desktop", "Household", "LinuxPlatform", "Session", "SessionRules", "Vocabulary"]),

        // Floor 6.
        .executableTarget(
            name: "huddle",
            dependencies: [
                "CommandTable", "Control", "Diagnosis", "Discovery", "GameState", "Games", "Household", "Ledger",
                "LinuxPlatform", "SaveFolder", "SaveRules", "SecureArchive",
                "SessionRules", "Transport", "Vocabulary",
            ],
            swiftSettings: houseRules
        ),

        .executableTarget(
            name: "huddled",
            dependencies: [
                "Bridges", "CommandTable", "Control", "ControlServer", "Desktop", "Discovery", "Games", "Herald",
                "Household", "Ledger", "LinuxPlatform", "Page", "SaveService", "SaveSync", "Session", "Vocabulary",
            ],
            swiftSettings: houseRules
        ),

        .executableTarget(
            name: "tictactoe",
            dependencies: ["GameState", "LinuxPlatform", "MultipeerConnectivity", "SecureArchive", "Vocabulary"],
            swiftSettings: houseRules
        ),

        // Workshop: what only tests and developers use.
        .target(name: "CNamespaces", path: "Tests/Lab/CNamespaces"),
        workshop("LabKit", at: "Lab/LabKit", ["CLinux", "CNamespaces", "LinuxPlatform", "Vocabulary"]),
        .target(name: "CWrongClock", path: "Tests/Lab/CWrongClock"),
        workshopTool(
            "torture",
            at: "Lab/Torture",
            ["Digests", "History", "LabKit", "LinuxPlatform", "SaveFolder", "SaveRules", "TestSupport", "Vocabulary"]
        ),
        workshopTool(
            "simulate",
            at: "Simulator/Households",
            [
                "CLinux", "Digests", "History", "Ledger", "LinuxPlatform", "SaveFolder", "SaveRules", "SaveSync",
                "Session",
                "Transport", "Vocabulary",
            ]
        ),
        workshopTool("lab", at: "Lab/lab", ["CLinux", "LabKit", "LinuxPlatform", "Vocabulary"]),

        workshopTool(
            "discovery-benchmark",
            at: "Benchmarks/DiscoveryBenchmark",
            ["Discovery", "LabKit", "LinuxPlatform", "Vocabulary", "Yardstick"]
        ),
        workshopTool(
            "daemon-benchmark",
            at: "Benchmarks/DaemonBenchmark",
            ["LinuxPlatform", "TestSupport", "Yardstick"]
        ),
        workshopTool("loop-benchmark", at: "Benchmarks/LoopBenchmark", ["CLinux", "LinuxPlatform", "TestSupport"]),
        workshopTool(
            "transport-benchmark",
            at: "Benchmarks/TransportBenchmark",
            ["LinuxPlatform", "TestSupport", "Transport", "Yardstick"]
        ),
        workshopTool(
            "session-benchmark",
            at: "Benchmarks/SessionBenchmark",
            [
                "LabKit", "LinuxPlatform", "Session", "SessionRules", "Transport", "Vocabulary", "Yardstick",
            ]
        ),
        workshopTool(
            "saves-benchmark",
            at: "Benchmarks/SavesBenchmark",
            ["LabKit", "LinuxPlatform", "TestSupport", "Yardstick"]
        ),
        workshopTool(
            "resources-benchmark",
            at: "Benchmarks/ResourcesBenchmark",
            ["LinuxPlatform", "Resources", "TestSupport", "Vocabulary"]
        ),
        workshopTool(
            "archive-benchmark",
            at: "Benchmarks/ArchiveBenchmark",
            ["SecureArchive", "SecureCoding", "Yardstick"]
        ),
        workshopTool(
            "history-benchmark",
            at: "Benchmarks/HistoryBenchmark",
            [
                "Digests", "History", "Ledger", "LinuxPlatform", "SaveRules", "SaveSync", "Session", "TestSupport",
                "Transport", "Vocabulary", "Yardstick",
            ]
        ),
        workshopTool(
            "save-folder-benchmark",
            at: "Benchmarks/SaveFolderBenchmark",
            [
                "Digests", "History", "LinuxPlatform", "SaveFolder", "SaveRules", "TestSupport", "Vocabulary",
                "Yardstick",
            ]
        ),
        workshopTool(
            "multipeer-benchmark",
            at: "Benchmarks/MultipeerBenchmark",
            ["LinuxPlatform", "MultipeerConnectivity", "Session", "SessionRules", "Vocabulary", "Yardstick"]
        ),
        workshop("Yardstick", at: "Benchmarks/Yardstick", ["COpenSSL"]),
        workshop("TestSupport", at: "Support/TestSupport", ["CLinux", "LinuxPlatform", "Vocabulary"]),
        workshop(
            "ScriptedPeers",
            at: "Support/ScriptedPeers",
            ["Digests", "Ledger", "LinuxPlatform", "Session", "SessionRules", "Transport", "Vocabulary", "Wire"]
        ),
        workshop("GameTrees", at: "Support/GameTrees", ["Database", "LinuxPlatform", "TestSupport"]),
        .target(
            name: "NotificationService",
            dependencies: ["LinuxPlatform", "Workbench"],
            path: "Tests/Support/NotificationService",
            exclude: ["logins.py", "service.py"],
            swiftSettings: houseRules
        ),
        workshopTool(
            "save-crash",
            at: "Support/SaveCrash",
            ["Digests", "History", "LinuxPlatform", "SaveFolder", "SaveRules", "Vocabulary"]
        ),
        workshop("RawTLS", at: "Support/RawTLS", ["COpenSSL", "LinuxPlatform", "TestSupport"]),
        // Code as it is written for iOS, in the language mode that most of it is compiled in.
        .target(
            name: "AppleStyleGames",
            dependencies: ["MultipeerConnectivity"],
            path: "Tests/Support/AppleStyleGames",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]
        ),
        // The same in the newest language mode.
        .target(
            name: "ModernAppleStyleGames",
            dependencies: ["MultipeerConnectivity"],
            path: "Tests/Support/ModernAppleStyleGames",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
        ),
        workshopTool("multipeer-player", at: "Support/MultipeerPlayer", ["MultipeerConnectivity"]),
        // A small library over it, as many apps have one.
        workshopTool("multipeer-lobby", at: "Support/MultipeerLobby", ["MultipeerConnectivity"]),
        workshop("WireProperties", at: "Fuzz/WireProperties", ["Wire"]),
        workshop("ArchiveProperties", at: "Fuzz/ArchiveProperties", ["SecureArchive", "Vocabulary"]),
        workshop(
            "CodingProperties",
            at: "Fuzz/CodingProperties",
            ["ArchiveProperties", "SecureArchive", "SecureCoding"]
        ),
        workshop("ScoreProperties", at: "Fuzz/ScoreProperties", ["GameState"]),
        workshopTool(
            "hostile-cases",
            at: "Fuzz/HostileCases",
            [
                "ArchiveProperties", "CodingProperties", "Database", "GameState", "ScoreProperties", "SecureArchive",
                "TestSupport",
            ]
        ),
        workshop("GameProperties", at: "Fuzz/GameProperties", ["Games"]),
        workshop("SaveProperties", at: "Fuzz/SaveProperties", ["SaveRules", "Vocabulary"]),
        workshop("SyncthingProperties", at: "Fuzz/SyncthingProperties", ["SyncthingBridge"]),
        workshop("Workbench", at: "Workbench", ["CLinux"]),

        // Tests.
        tests("VocabularyTests", ["Vocabulary"]),
        tests("CommandTableTests", ["CommandTable", "Vocabulary", "Workbench"]),
        tests(
            "WireTests",
            ["TestSupport", "Vocabulary", "Wire", "WireProperties", "Workbench"],
            excluding: ["Fixtures"]
        ),
        tests(
            "CommandTests",
            [
                "CommandTable", "Diagnosis", "Games", "Household", "Ledger", "SaveRules", "SecureArchive", "Session",
                "SessionRules", "TestSupport", "Vocabulary", "Workbench", "huddle",
            ],
            excluding: ["Scripts"]
        ),
        tests(
            "EndToEndTests",
            [
                "Control", "Digests", "Household", "LinuxPlatform", "NotificationService", "SaveRules", "Session",
                "TestSupport", "Transport", "Vocabulary", "Workbench", "huddle", "huddled",
            ]
        ),
        tests(
            "HouseholdTests",
            [
                "Database", "Household", "Ledger", "LinuxPlatform", "SaveRules", "ScriptedPeers", "Session",
                "SessionRules", "TestSupport", "Transport", "Vocabulary", "Wire",
            ]
        ),
        tests(
            "ControlTests",
            [
                "Bridges", "Control", "ControlServer", "Household", "Ledger", "LinuxPlatform", "Page", "SaveRules",
                "SaveService", "SaveSync", "SecureArchive", "Session", "TestSupport", "Vocabulary", "Workbench",
            ]
        ),
        tests("PageTests", ["ControlServer", "LinuxPlatform", "Page"]),
        tests(
            "BridgesTests",
            [
                "Bridges", "ControlServer", "Digests", "LinuxPlatform", "SaveRules", "SaveSync", "TestSupport",
                "Vocabulary", "Workbench",
            ]
        ),
        tests(
            "DesktopTests",
            ["Desktop", "LinuxPlatform", "NotificationService", "TestSupport", "Vocabulary", "Workbench"]
        ),
        tests("HeraldTests", ["Herald", "Household", "LinuxPlatform", "Session", "TestSupport", "Vocabulary"]),
        tests("DiagnosisTests", ["Diagnosis", "Vocabulary"]),
        tests("HouseTests", ["Workbench"]),
        tests("LinuxPlatformTests", ["CLinux", "LinuxPlatform", "TestSupport", "Vocabulary"]),
        tests(
            "LabTests",
            [
                "LabKit", "LinuxPlatform", "TestSupport", "Vocabulary", "Workbench", "huddle", "huddled", "lab",
                "multipeer-lobby", "multipeer-player", "torture",
            ]
        ),
        tests("DigestsTests", ["Digests", "LinuxPlatform", "TestSupport", "Vocabulary"]),
        tests(
            "HistoryTests",
            ["CLinux", "Digests", "History", "LinuxPlatform", "SaveRules", "TestSupport", "Vocabulary", "Workbench"]
        ),
        tests(
            "TransportTests",
            ["COpenSSL", "Digests", "LinuxPlatform", "RawTLS", "TestSupport", "Transport", "Vocabulary"]
        ),
        tests("DatabaseTests", ["Database", "LinuxPlatform", "TestSupport", "Vocabulary"]),
        tests(
            "GameStateTests",
            [
                "Database", "GameState", "LinuxPlatform", "ScoreProperties", "SecureArchive", "SessionRules",
                "TestSupport", "Vocabulary", "Workbench", "hostile-cases",
            ],
            excluding: ["Fixtures"]
        ),
        tests(
            "LedgerTests",
            [
                "CLinux", "Database", "Ledger", "LinuxPlatform", "SaveProperties", "SaveRules", "TestSupport",
                "Vocabulary",
            ]
        ),
        tests("SessionRulesTests", ["SessionRules", "TestSupport", "Vocabulary", "Workbench"]),
        tests(
            "SessionTests",
            [
                "Digests", "Discovery", "Ledger", "LinuxPlatform", "RawTLS", "Resources", "ScriptedPeers", "Session",
                "SessionRules", "TestSupport", "Transport", "Vocabulary", "Wire",
            ]
        ),
        tests("ControlServerTests", ["ControlServer", "LinuxPlatform", "TestSupport", "Vocabulary"]),
        tests(
            "SecureArchiveTests",
            ["ArchiveProperties", "CLinux", "SecureArchive", "TestSupport", "Vocabulary", "Workbench"],
            excluding: ["Corpus"]
        ),
        tests(
            "SecureCodingTests",
            ["CodingProperties", "SecureArchive", "SecureCoding", "TestSupport", "Workbench"]
        ),
        tests(
            "MultipeerConnectivityTests",
            [
                "AppleStyleGames", "Discovery", "LinuxPlatform", "ModernAppleStyleGames", "MultipeerConnectivity",
                "SecureCoding", "Session", "SessionRules", "TestSupport", "Vocabulary", "Workbench",
            ]
        ),
        tests(
            "TicTacToeTests",
            ["GameState", "LinuxPlatform", "MultipeerConnectivity", "SecureArchive", "TestSupport", "tictactoe"]
        ),
        tests("SaveRulesTests", ["SaveProperties", "SaveRules", "TestSupport", "Vocabulary", "Workbench"]),
        tests(
            "SaveFolderTests",
            [
                "CLinux", "Digests", "History", "LinuxPlatform", "SaveFolder", "SaveRules", "TestSupport", "Vocabulary",
                "Workbench", "save-crash",
            ]
        ),
        tests(
            "SaveSyncTests",
            [
                "Database", "Digests", "GameState", "History", "Ledger", "LinuxPlatform", "SaveRules", "SaveSync",
                "ScriptedPeers", "SecureArchive", "Session", "SessionRules", "TestSupport", "Transport", "Vocabulary",
                "Workbench",
            ]
        ),
        tests(
            "SyncthingBridgeTests",
            [
                "Digests", "LinuxPlatform", "SyncthingBridge", "SyncthingProperties", "TestSupport", "Transport",
                "Vocabulary", "Workbench",
            ]
        ),
        tests("DiscoveryTests", ["Discovery", "LinuxPlatform", "Vocabulary"]),
        tests(
            "GamesTests",
            ["Database", "GameProperties", "GameTrees", "Games", "LinuxPlatform", "TestSupport", "Vocabulary"]
        ),
        tests("ResourcesTests", ["CLinux", "LinuxPlatform", "Resources", "TestSupport", "Vocabulary"]),
    ],
    swiftLanguageModes: [.v6]
)
