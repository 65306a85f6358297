extension OwnGames {
    static let fromAToD = """
        = 0 A.D.
        flatpak com.play0ad.zeroad
        save <xdgData>/0ad/saves
        save <winDocuments>/My Games/0ad
        = 2064: Read Only Memories
        save <xdgConfig>/unity3d/MidBoss/2064_ Read Only Memories
        = A Bird Story
        save <xdgData>/freebirdgames/abirdstory/*.rxdata
        = A Way Out
        save <winDocuments>/My Games/A Way Out/Saves
        = ABZÛ
        save <winLocalAppData>/AbzuGame/Saved/SaveGames
        = AER: Memories of Old
        save <xdgData>/Daedalic Entertainment GmbH/Aer/*.fks
        = Age of Wonders III
        save <xdgData>/AoW3/Profiles/*/SAVES/*.ACG
        = Alan Wake 2
        save <winLocalAppData>/Remedy/AlanWake2
        = Alba: A Wildlife Adventure
        save <winLocalAppDataLow>/ustwo games/Alba/SaveFiles
        = Alien: Isolation
        steam 214490
        save <xdgConfig>/feral-interactive/AlienIsolation/Steam Saves
        save <winDocuments>/My Games/Alien Isolation
        = American Truck Simulator
        save <xdgData>/American Truck Simulator/profiles
        = Amnesia: A Machine for Pigs
        save <home>/.frictionalgames/Amnesia/Pig/*/*.sav
        = Anno 1800
        save <winDocuments>/Anno 1800/accounts
        = ASTRONEER
        save <winLocalAppData>/Astro/Saved/SaveGames
        = Atomic Heart
        save <winLocalAppData>/AtomicHeart/Saved/SaveGames
        = Baba Is You
        save <winAppData>/Baba_Is_You
        = Bad North
        steam 688420
        dir BadNorth
        save <winLocalAppDataLow>/Plausible Concept/Bad North/Saves
        = BADLAND: Game of the Year Edition
        save <winAppData>/BADLAND/data
        = Balatro
        save <winAppData>/Balatro
        = Baldur's Gate 3
        steam 1086940
        save <winLocalAppData>/Larian Studios/Baldur's Gate 3/PlayerProfiles/Public/Savegames
        = BIOMUTANT
        save <winLocalAppData>/Biomutant/Saved/SaveGames
        = BioShock
        save <winDocuments>/Bioshock/SaveGames
        = BioShock 2
        save <winDocuments>/Bioshock2/SaveGames
        = BioShock Infinite
        steam 8870
        save <winDocuments>/My Games/BioShock Infinite/XGame/SaveData
        = Blasphemous
        save <winLocalAppDataLow>/TheGameKitchen/Blasphemous/Savegames
        = Borderlands
        save <winDocuments>/My Games/Borderlands/SaveData
        = Borderlands 2
        save <xdgData>/aspyr-media/borderlands 2/willowgame/savedata
        save <winDocuments>/My Games/Borderlands 2/WillowGame/SaveData
        = Borderlands 3
        save <winDocuments>/My Games/Borderlands 3/Saved/SaveGames
        = Broforce
        steam 274190
        dir Broforce
        save <installDir>/Saves
        = Brotato
        save <winAppData>/Brotato
        = Celeste
        steam 504230
        dir Celeste
        lutris celeste
        save <xdgData>/Celeste/Saves
        save <installDir>/Saves/*.celeste
        = Clair Obscur: Expedition 33
        save <winLocalAppData>/Sandfall/Saved/SaveGames
        = Cocoon
        save <winLocalAppDataLow>/GeometricInteractive/Cocoon
        = CODE VEIN
        save <winLocalAppData>/CodeVein/Saved/SaveGames
        = Control Ultimate Edition
        steam 870780
        save <winDocuments>/My Games/Control/Saves
        = Core Keeper
        save <winLocalAppDataLow>/Pugstorm/Core Keeper/Steam
        = Crash Bandicoot 4: It's About Time
        save <winLocalAppData>/CrashBandicoot4/Saved/SaveGames
        = Crash Bandicoot N. Sane Trilogy
        save <winAppData>/Crash Bandicoot(TM) N. Sane Trilogy
        = Creaks
        save <winLocalAppDataLow>/Amanita Design/Creaks/save
        = Cult of the Lamb
        save <winLocalAppDataLow>/Massive Monster/Cult Of The Lamb/saves
        = Cuphead
        save <winAppData>/Cuphead
        = Cyberpunk 2077
        save <winSavedGames>/CD Projekt Red/Cyberpunk 2077
        = Danganronpa 2: Goodbye Despair
        save <xdgData>/Danganronpa2
        save <winDocuments>/My Games/Danganronpa2
        = Danganronpa: Trigger Happy Havoc
        save <xdgData>/Danganronpa
        save <winDocuments>/My Games/Danganronpa
        = DARK SOULS II
        save <winAppData>/DarkSoulsII/*/*.sl2
        = DARK SOULS III
        save <winAppData>/DarkSoulsIII/*/*.sl2
        = DARK SOULS: REMASTERED
        save <winDocuments>/NBGI/DARK SOULS REMASTERED
        = Day of the Tentacle Remastered
        save <xdgData>/doublefine/dott/savedata
        = Death Road to Canada
        save <home>/.madgarden/DR2C/*.save
        = Deponia: The Complete Journey
        save <xdgData>/Daedalic Entertainment GmbH/Deponia The Complete Journey/Savegames/*.dat
        = Detroit: Become Human
        save <winSavedGames>/Quantic Dream/Detroit Become Human
        = Deus Ex: Mankind Divided
        save <xdgData>/feral-interactive/Deus Ex Mankind Divided/SaveData
        = Dishonored
        save <winDocuments>/My Games/Dishonored/DishonoredGame/SaveData
        = Dishonored 2
        save <winSavedGames>/Arkane Studios/dishonored2/base/savegame
        = Divinity: Original Sin Enhanced Edition
        save <home>/Larian Studios/Divinity Original Sin Enhanced Edition/PlayerProfiles
        = Doki Doki Literature Club
        save <home>/.renpy/DDLC*/*.save
        = DOOM Eternal
        save <winSavedGames>/id Software/DOOMEternal/base
        = Door Kickers
        save <xdgData>/DoorKickers
        = Dreamfall Chapters
        save <xdgConfig>/unity3d/Red Thread Games/Dreamfall Chapters
        = Dying Light
        save <winDocuments>/DyingLight/out/save
        """
}
