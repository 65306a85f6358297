import LinuxPlatform

/// The loopback addresses of this machine.
let loopbackAddresses: [IPAddress] = [.v4(127, 0, 0, 1), .v6(high: 0, low: 1, interface: 0)]

/// The IPv4 loopback address, with a port that the kernel chooses.
let anyLoopbackPort = SocketAddress(.v4(127, 0, 0, 1), port: 0)
