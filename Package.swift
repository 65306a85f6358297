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

        // Floor 1.
        room("Vocabulary"),
        room("LinuxPlatform", ["CLinux", "Vocabulary"]),

        // Floor 2.
        room("CommandTable", ["Vocabulary"]),
        room("Wire", ["Vocabulary"]),
        room("SessionRules", ["Vocabulary"]),

        // Floor 3.
        room("Discovery", ["CDNSSD", "LinuxPlatform", "Vocabulary"]),
        room("Ledger", ["CSQLite", "LinuxPlatform", "Vocabulary"]),
        room("Transport", ["COpenSSL", "LinuxPlatform", "Vocabulary"]),
        room("Resources", ["CXXHash", "LinuxPlatform", "Vocabulary"]),

        // Floor 4.
        room(
            "Session",
            ["Discovery", "Ledger", "LinuxPlatform", "Resources", "SessionRules", "Transport", "Vocabulary", "Wire"]
        ),

        // Floor 6.
        .executableTarget(
            name: "huddle",
            dependencies: [
                "CommandTable", "Discovery", "Ledger", "LinuxPlatform", "Session", "SessionRules", "Transport",
                "Vocabulary",
            ],
            swiftSettings: houseRules
        ),

        // Workshop: what only tests and developers use.
        .target(name: "CNamespaces", path: "Tests/Lab/CNamespaces"),
        workshop("LabKit", at: "Lab/LabKit", ["CLinux", "CNamespaces", "LinuxPlatform", "Vocabulary"]),
        workshopTool("lab", at: "Lab/lab", ["CLinux", "LabKit", "LinuxPlatform", "Vocabulary"]),

        workshopTool(
            "discovery-benchmark",
            at: "Benchmarks/DiscoveryBenchmark",
            ["Discovery", "LabKit", "LinuxPlatform", "Vocabulary", "Yardstick"]
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
            "resources-benchmark",
            at: "Benchmarks/ResourcesBenchmark",
            ["LinuxPlatform", "Resources", "TestSupport", "Vocabulary"]
        ),
        workshop("Yardstick", at: "Benchmarks/Yardstick", ["COpenSSL"]),
        workshop("TestSupport", at: "Support/TestSupport", ["CLinux", "LinuxPlatform", "Vocabulary"]),
        workshop("WireProperties", at: "Fuzz/WireProperties", ["Wire"]),
        workshop("Workbench", at: "Workbench", ["CLinux"]),

        // Tests.
        tests("VocabularyTests", ["Vocabulary"]),
        tests("CommandTableTests", ["CommandTable", "Vocabulary", "Workbench"]),
        tests(
            "WireTests",
            ["TestSupport", "Vocabulary", "Wire", "WireProperties", "Workbench"],
            excluding: ["Fixtures"]
        ),
        tests("CommandTests", ["CommandTable", "Workbench", "huddle"], excluding: ["Scripts"]),
        tests("EndToEndTests", ["LinuxPlatform", "TestSupport", "Vocabulary", "Workbench", "huddle"]),
        tests("HouseTests", ["Workbench"]),
        tests("LinuxPlatformTests", ["CLinux", "LinuxPlatform", "TestSupport", "Vocabulary"]),
        tests("LabTests", ["LabKit", "LinuxPlatform", "Vocabulary", "Workbench", "huddle", "lab"]),
        tests("LedgerTests", ["CLinux", "CSQLite", "Ledger", "LinuxPlatform", "TestSupport", "Vocabulary"]),
        tests("TransportTests", ["COpenSSL", "LinuxPlatform", "TestSupport", "Transport", "Vocabulary"]),
        tests("SessionRulesTests", ["SessionRules", "TestSupport", "Vocabulary", "Workbench"]),
        tests(
            "SessionTests",
            [
                "Discovery", "Ledger", "LinuxPlatform", "Resources", "Session", "SessionRules", "TestSupport",
                "Transport", "Vocabulary", "Wire",
            ]
        ),
        tests("DiscoveryTests", ["Discovery", "LinuxPlatform", "Vocabulary"]),
        tests("ResourcesTests", ["CLinux", "LinuxPlatform", "Resources", "TestSupport", "Vocabulary"]),
    ],
    swiftLanguageModes: [.v6]
)
