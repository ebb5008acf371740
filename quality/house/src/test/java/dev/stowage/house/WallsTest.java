package dev.stowage.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WallsTest {

  private static final String INTRUDER = "dev/stowage/house/Intruder";

  private static final Path HERE = Path.of("target/test-classes");

  private static Walls walls() {
    return new Walls(HERE, "dev/stowage").withPackage("house").withOutside("java");
  }

  @Test
  void breaches_classThatKeepsTheRules_areNone() throws Exception {
    Walls lenient = walls().withReserved("java/lang/classfile", "house").withThreadsIn(INTRUDER);
    assertThat(lenient.breaches(Intruder.model()))
        .noneMatch(breach -> breach.contains("Thread.ofVirtual") || breach.contains("classfile"));
  }

  @Test
  void breaches_classThatBreaksTheRules_nameEachCall() throws Exception {
    assertThat(walls().withReserved("java/io", "files").breaches(Intruder.model()))
        .contains(
            INTRUDER + ".calls",
            INTRUDER + " -> java/io/InputStream",
            INTRUDER + " -> java/lang/String.formatted",
            INTRUDER + " -> java/lang/System.nanoTime",
            INTRUDER + " -> java/lang/Thread.ofVirtual");
  }

  @Test
  void breaches_folderThatIsNotAllowed_areNamed() throws Exception {
    Walls strict = new Walls(HERE, "dev/stowage/house").withOutside("java/lang");
    assertThat(strict.breaches(Intruder.model()))
        .contains(INTRUDER + " -> java/util/List")
        .doesNotContain(INTRUDER + " -> java/lang/Thread", INTRUDER + " -> " + INTRUDER);
  }

  @Test
  void breaches_packageOfTheModuleThatIsNotAllowed_isNamed() throws Exception {
    // To this module, the classes of the JDK are its own.
    Walls jdk = new Walls(HERE, "java").withPackage("", "lang").withOutside("dev");
    assertThat(jdk.breaches(Intruder.model()))
        .contains(INTRUDER + " -> java/util/List")
        .doesNotContain(INTRUDER + " -> java/lang/String");
  }
}
