package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scripts of each kind of pages use only names that this kind of pages has. */
final class ScriptNamesTest {

  /** The names of browsers, and d3. */
  private static final Set<String> GLOBALS =
      Set.of(
          ("addEventListener Array atob BigInt Blob cancelAnimationFrame clearTimeout d3 "
                  + "DecompressionStream document DOMMatrix encodeURIComponent Float64Array "
                  + "getComputedStyle history Infinity innerHeight innerWidth Int32Array Intl "
                  + "JSON location Map matchMedia Math NaN navigator Number Object Option "
                  + "parseFloat Path2D Promise RegExp requestAnimationFrame ResizeObserver Response Set "
                  + "setTimeout String TextDecoder Uint16Array Uint32Array Uint8Array "
                  + "URLSearchParams window")
              .split(" "));

  private static List<ScriptNames> read(List<String> scripts) throws IOException {
    List<ScriptNames> read = new ArrayList<>();
    for (String script : scripts) {
      read.add(new ScriptNames(PictureText.of(script)));
    }
    return read;
  }

  /** Asserts that scripts use only their own names, those of all scripts, and those around them. */
  private static Set<String> topLevelOf(List<String> scripts, Set<String> around)
      throws IOException {
    List<ScriptNames> read = read(scripts);
    Set<String> known = new HashSet<>(around);
    read.forEach(script -> known.addAll(script.topLevel()));
    Map<String, Set<String>> unknown = new TreeMap<>();
    for (int i = 0; i < scripts.size(); i++) {
      for (String name : read.get(i).undeclared()) {
        if (!known.contains(name)) {
          unknown.computeIfAbsent(scripts.get(i), _ -> new TreeSet<>()).add(name);
        }
      }
    }
    assertThat(unknown).isEmpty();
    return known;
  }

  @ParameterizedTest
  @EnumSource
  void page_ofEachKind_declaresAllNames(ReportKind kind) throws IOException {
    topLevelOf(PageTemplate.scripts(kind), GLOBALS);
  }

  @Test
  void report_declaresAllNames() throws IOException {
    Set<String> globals = new HashSet<>(GLOBALS);
    globals.add("starts"); // the function of each kind
    Set<String> around = topLevelOf(PageTemplate.scriptsOfReport(), globals);
    for (ReportKind kind : EnumSet.allOf(ReportKind.class)) {
      topLevelOf(kind.scriptsInReport(), around);
    }
  }

  @Test
  void undeclared_ofAScript_areTheNamesOfOthers() {
    ScriptNames names =
        new ScriptNames(
            """
            /* not "this */
            const { a, key: b } = other.property, [c] = [/["`]/.test(`${far} ${`${near}`}`)];
            const f = async ({ d = first }, ...rest) => d ? { b, e: rest } : { g() { return c / a; } };
            function named(one) { try { two(one); } catch (error) { for (const each of one) each?.x; } }
            """);

    assertThat(names.undeclared()).containsExactly("far", "near", "other", "two");
    assertThat(names.topLevel()).containsExactly("a", "b", "c", "f", "key", "named");
  }
}
