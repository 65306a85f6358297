// swift-tools-version: 6.2
import PackageDescription

/// The rules every Swift target is built with.
let swiftRules: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// A module of the programs: one purpose, and the imports that it declares.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: swiftRules)
}

/// A library or a program that only tests and developers use, below `Tests`.
func testLibrary(_ name: String, at path: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/\(path)", swiftSettings: swiftRules)
}

func testTool(_ name: String, at path: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Tests/\(path)", swiftSettings: swiftRules)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], excluding excluded: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: excluded, swiftSettings: swiftRules)
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
        // Layer 0: C libraries, each behind a module map.
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

        // Layer 1.
        module("Vocabulary"),
        module("LinuxPlatform", ["CLinux", "Vocabulary"]),

        // Layer 2.
        module("CommandTable", ["Vocabulary"]),
        module("Wire", ["Vocabulary"]),
        module("SessionRules", ["Vocabulary"]),
        module("SecureArchive", ["Vocabulary"]),
        module("Database", ["CSQLite"]),
        module("Digests", ["COpenSSL", "LinuxPlatform"]),
        module("SaveRules", ["Vocabulary"]),
        module("Diagnosis", ["Vocabulary"]),

        // Layer 3.
        module("Discovery", ["CDNSSD", "LinuxPlatform", "Vocabulary"]),
        module("Ledger", ["Database", "LinuxPlatform", "SaveRules", "Vocabulary"]),
        module("GameState", ["Database", "LinuxPlatform", "SecureArchive", "SessionRules", "Vocabulary"]),
        module("Transport", ["COpenSSL", "Digests", "LinuxPlatform", "Vocabulary"]),
        module("History", ["CZstd", "Digests", "LinuxPlatform", "SaveRules", "Vocabulary"]),
        module("Resources", ["CXXHash", "LinuxPlatform", "Vocabulary"]),

        module("ControlServer", ["CMicroHTTPD", "LinuxPlatform", "Vocabulary"]),
        .target(
            name: "Page",
            dependencies: ["Control", "ControlServer", "Household", "LinuxPlatform", "Transport", "Vocabulary"],
            resources: [.embedInCode("Files")],
            swiftSettings: swiftRules
        ),

        module("Games", ["CYAML", "Database", "LinuxPlatform", "SecureArchive", "Vocabulary"]),

        module("Desktop", ["CDBus", "LinuxPlatform", "Vocabulary"]),

        // Layer 4.
        module(
            "Session",
            [
                "Digests", "Discovery", "Ledger", "LinuxPlatform", "Resources", "SecureArchive", "SessionRules",
                "Transport", "Vocabulary", "Wire",
            ]
        ),

        module("SecureCoding", ["SecureArchive", "Vocabulary"]),
        module("SyncthingBridge", ["CLZ4", "Digests", "LinuxPlatform", "Transport", "Vocabulary"]),
        module("SaveFolder", ["Digests", "History", "LinuxPlatform", "SaveRules", "Vocabulary"]),

        // Layer 5.
        module(
            "Household",
            [
                "CommandTable", "Discovery", "Ledger", "LinuxPlatform", "Resources", "SaveRules", "SecureArchive",
                "Session", "SessionRules", "Vocabulary",
            ]
        ),
        module(
            "Control",
            [
                "Discovery", "Household", "Ledger", "LinuxPlatform", "SaveRules", "SecureArchive", "Session",
                "SessionRules", "Vocabulary",
            ]
        ),
        module(
            "SaveSync",
            [
                "Digests", "GameState", "History", "Ledger", "LinuxPlatform", "SaveFolder", "SaveRules",
                "SecureArchive", "Session", "SessionRules", "Transport", "Vocabulary",
            ]
        ),

        module(
            "SaveService",
            [
                "Control", "GameState", "History", "Household", "Ledger", "LinuxPlatform", "SaveFolder", "SaveRules",
                "SaveSync", "Session", "Vocabulary",
            ]
        ),
        module(
            "Bridges",
            [
                "Control", "ControlServer", "Digests", "Household", "Ledger", "LinuxPlatform", "SaveRules", "SaveSync",
                "SecureArchive", "SyncthingBridge", "Transport", "Vocabulary",
            ]
        ),
        module(
            "MultipeerConnectivity",
            [
                "CMultipeerConnectivity", "Discovery", "LinuxPlatform", "SecureArchive", "SecureCoding", "Session",
                "SessionRules", "Transport", "Vocabulary",
            ]
        ),

        module("Notifier", ["Desktop", "Household", "LinuxPlatform", "Session", "SessionRules", "Vocabulary"]),

        // Layer 6.
        .executableTarget(
            name: "huddle",
            dependencies: [
                "CommandTable", "Control", "Diagnosis", "Discovery", "GameState", "Games", "Household", "Ledger",
                "LinuxPlatform", "SaveFolder", "SaveRules", "SecureArchive",
                "SessionRules", "Transport", "Vocabulary",
            ],
            swiftSettings: swiftRules
        ),

        .executableTarget(
            name: "huddled",
            dependencies: [
                "Bridges", "CommandTable", "Control", "ControlServer", "Desktop", "Discovery", "Games", "Notifier",
                "Household", "Ledger", "LinuxPlatform", "Page", "SaveService", "SaveSync", "Session", "Vocabulary",
            ],
            swiftSettings: swiftRules
        ),

        .executableTarget(
            name: "tictactoe",
            dependencies: ["GameState", "LinuxPlatform", "MultipeerConnectivity", "SecureArchive", "Vocabulary"],
            swiftSettings: swiftRules
        ),

        // Test tools: libraries and programs that only tests and developers use.
        .target(name: "CNamespaces", path: "Tests/Lab/CNamespaces"),
        testLibrary("LabKit", at: "Lab/LabKit", ["CLinux", "CNamespaces", "LinuxPlatform", "Vocabulary"]),
        .target(name: "CWrongClock", path: "Tests/Lab/CWrongClock"),
        testTool(
            "torture",
            at: "Lab/Torture",
            ["Digests", "History", "LabKit", "LinuxPlatform", "SaveFolder", "SaveRules", "TestSupport", "Vocabulary"]
        ),
        testTool(
            "simulate",
            at: "Simulator/Households",
            [
                "CLinux", "Digests", "History", "Ledger", "LinuxPlatform", "SaveFolder", "SaveRules", "SaveSync",
                "Session",
                "Transport", "Vocabulary",
            ]
        ),
        testTool("lab", at: "Lab/lab", ["CLinux", "LabKit", "LinuxPlatform", "Vocabulary"]),

        testTool(
            "discovery-benchmark",
            at: "Benchmarks/DiscoveryBenchmark",
            ["Discovery", "LabKit", "LinuxPlatform", "Vocabulary", "Yardstick"]
        ),
        testTool(
            "daemon-benchmark",
            at: "Benchmarks/DaemonBenchmark",
            ["LinuxPlatform", "TestSupport", "Yardstick"]
        ),
        testTool("loop-benchmark", at: "Benchmarks/LoopBenchmark", ["CLinux", "LinuxPlatform", "TestSupport"]),
        testTool(
            "transport-benchmark",
            at: "Benchmarks/TransportBenchmark",
            ["LinuxPlatform", "TestSupport", "Transport", "Yardstick"]
        ),
        testTool(
            "session-benchmark",
            at: "Benchmarks/SessionBenchmark",
            [
                "LabKit", "LinuxPlatform", "Session", "SessionRules", "Transport", "Vocabulary", "Yardstick",
            ]
        ),
        testTool(
            "saves-benchmark",
            at: "Benchmarks/SavesBenchmark",
            ["LabKit", "LinuxPlatform", "TestSupport", "Yardstick"]
        ),
        testTool(
            "resources-benchmark",
            at: "Benchmarks/ResourcesBenchmark",
            ["LinuxPlatform", "Resources", "TestSupport", "Vocabulary"]
        ),
        testTool(
            "archive-benchmark",
            at: "Benchmarks/ArchiveBenchmark",
            ["SecureArchive", "SecureCoding", "Yardstick"]
        ),
        testTool(
            "history-benchmark",
            at: "Benchmarks/HistoryBenchmark",
            [
                "Digests", "History", "Ledger", "LinuxPlatform", "SaveRules", "SaveSync", "Session", "TestSupport",
                "Transport", "Vocabulary", "Yardstick",
            ]
        ),
        testTool(
            "save-folder-benchmark",
            at: "Benchmarks/SaveFolderBenchmark",
            [
                "Digests", "History", "LinuxPlatform", "SaveFolder", "SaveRules", "TestSupport", "Vocabulary",
                "Yardstick",
            ]
        ),
        testTool(
            "multipeer-benchmark",
            at: "Benchmarks/MultipeerBenchmark",
            ["LinuxPlatform", "MultipeerConnectivity", "Session", "SessionRules", "Vocabulary", "Yardstick"]
        ),
        testLibrary("Yardstick", at: "Benchmarks/Yardstick", ["COpenSSL"]),
        testLibrary("TestSupport", at: "Support/TestSupport", ["CLinux", "LinuxPlatform", "Vocabulary"]),
        testLibrary(
            "ScriptedPeers",
            at: "Support/ScriptedPeers",
            ["Digests", "Ledger", "LinuxPlatform", "Session", "SessionRules", "Transport", "Vocabulary", "Wire"]
        ),
        testLibrary("GameTrees", at: "Support/GameTrees", ["Database", "LinuxPlatform", "TestSupport"]),
        .target(
            name: "NotificationService",
            dependencies: ["LinuxPlatform", "Workbench"],
            path: "Tests/Support/NotificationService",
            exclude: ["logins.py", "service.py"],
            swiftSettings: swiftRules
        ),
        testTool(
            "save-crash",
            at: "Support/SaveCrash",
            ["Digests", "History", "LinuxPlatform", "SaveFolder", "SaveRules", "Vocabulary"]
        ),
        testLibrary("RawTLS", at: "Support/RawTLS", ["COpenSSL", "LinuxPlatform", "TestSupport"]),
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
        testTool("multipeer-player", at: "Support/MultipeerPlayer", ["MultipeerConnectivity"]),
        // A small library over it, as many apps have one.
        testTool("multipeer-lobby", at: "Support/MultipeerLobby", ["MultipeerConnectivity"]),
        testLibrary("WireProperties", at: "Fuzz/WireProperties", ["Wire"]),
        testLibrary("ArchiveProperties", at: "Fuzz/ArchiveProperties", ["SecureArchive", "Vocabulary"]),
        testLibrary(
            "CodingProperties",
            at: "Fuzz/CodingProperties",
            ["ArchiveProperties", "SecureArchive", "SecureCoding"]
        ),
        testLibrary("ScoreProperties", at: "Fuzz/ScoreProperties", ["GameState"]),
        testTool(
            "hostile-cases",
            at: "Fuzz/HostileCases",
            [
                "ArchiveProperties", "CodingProperties", "Database", "GameState", "ScoreProperties", "SecureArchive",
                "TestSupport",
            ]
        ),
        testLibrary("GameProperties", at: "Fuzz/GameProperties", ["Games"]),
        testLibrary("SaveProperties", at: "Fuzz/SaveProperties", ["SaveRules", "Vocabulary"]),
        testLibrary("SyncthingProperties", at: "Fuzz/SyncthingProperties", ["SyncthingBridge"]),
        testLibrary("Workbench", at: "Workbench", ["CLinux"]),
        testLibrary(
            "SyncthingPrograms",
            at: "Support/SyncthingPrograms",
            ["LinuxPlatform", "SyncthingBridge", "TestSupport", "Vocabulary", "Workbench"]
        ),

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
                "SyncthingBridge", "SyncthingPrograms", "TestSupport", "Transport", "Vocabulary", "Workbench",
                "huddle", "huddled",
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
        tests("PageTests", ["ControlServer", "LinuxPlatform", "Page", "Workbench"]),
        tests(
            "BridgesTests",
            [
                "Bridges", "ControlServer", "Digests", "LinuxPlatform", "SaveRules", "SaveSync", "SyncthingBridge",
                "TestSupport", "Transport", "Vocabulary", "Workbench",
            ]
        ),
        tests(
            "DesktopTests",
            ["Desktop", "LinuxPlatform", "NotificationService", "TestSupport", "Vocabulary", "Workbench"]
        ),
        tests("NotifierTests", ["Notifier", "Household", "LinuxPlatform", "Session", "TestSupport", "Vocabulary"]),
        tests("DiagnosisTests", ["Diagnosis", "Vocabulary"]),
        tests("RepositoryTests", ["Workbench"]),
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
                "Digests", "LinuxPlatform", "SyncthingBridge", "SyncthingProperties", "SyncthingPrograms",
                "TestSupport",
                "Transport", "Vocabulary", "Workbench",
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
