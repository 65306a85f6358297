import Testing

@testable import LinuxPlatform

@Suite("Homes of users", .timeLimit(.minutes(1)))
struct UserHomeTests {
    @Test("Only users that can log in have homes")
    func read() {
        let list = """
            root:x:0:0:root:/root:/bin/bash
            daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin
            sync:x:4:65534:sync:/bin:/bin/sync
            _apt:x:42:65534::/nonexistent:/usr/sbin/nologin
            ann:x:1000:1000:Ann,,,:/people/ann:/bin/zsh
            bob:x:1001:1001::/:/bin/sh
            broken:x:none
            far:x:1002:1002::relative:/bin/sh
            """
        #expect(UserHome.read(list) == [UserHome(user: 0, path: "/root"), UserHome(user: 1000, path: "/people/ann")])
    }
}
