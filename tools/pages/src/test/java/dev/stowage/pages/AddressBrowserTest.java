package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.browser.Browser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The state in the address of a page, and the second map. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AddressBrowserTest {

  private static final String STATE =
      """
      const { store } = document.getElementById('map').explorer;
      const { shown, compared, moment, pinned, group, axis, panel, find, range, matches } = store.get();
      return JSON.stringify([shown, compared, moment, pinned, group, axis, panel, find, range,
          matches && [...matches].join('')]);
      """;

  @TempDir Path folder;

  @RegisterExtension final PageBrowser browser = new PageBrowser();

  private void open(PlanPicture picture) throws IOException {
    browser.open(picture, folder);
  }

  private void set(String change) {
    browser.run("document.getElementById('map').explorer.store.set({" + change + "})");
  }

  /** Opens the address with a fragment as another page. */
  private void reload(String fragment) {
    browser.run(
        """
        document.getElementById('map').id = 'old';
        history.replaceState(null, '', '#' + arguments[0]);
        location.reload();
        """,
        fragment);
    browser.until(
        "document.querySelector('#map canvas') !== null && explorerIsReady()"
            .replace("explorerIsReady()", "document.getElementById('map').explorer !== undefined"));
  }

  @Test
  void state_afterAReload_isTheSame() throws IOException {
    open(Samples.random(50));
    set(
        "shown: 2, compared: 0, moment: 7, pinned: 3, panel: 'search', find: 't1 & \"#%+\" é'.slice(0, 2)");
    set("range: { left: 3, right: 9.5, bottom: 1000, top: 500000 }");
    String before = browser.run(STATE);
    browser.until("location.hash.includes('view=')");
    String fragment = browser.run("return location.hash.slice(1)");
    assertThat(fragment)
        .isEqualTo("plan=2&beside=0&moment=7&pin=3&panel=search&find=t1&view=3,9.5,1000,500000");
    reload(fragment);
    assertThat(browser.run(STATE)).isEqualTo(before);
    assertThat(
            browser.run(
                "return ['strategy', 'beside', 'find'].map((id) => document.getElementById(id).value).join()"))
        .isEqualTo("2,0,t1");
    browser.assertNothingWentWrong();
  }

  @Test
  void search_withAnyCharacters_isKeptInTheAddress() throws IOException {
    open(Samples.named("names", "a", "b"));
    for (String text : List.of("a&moment=1#%25+ \"é\" 日本", "\u202e</script>")) {
      browser.run("document.getElementById('map').explorer.store.set({find: arguments[0]})", text);
      browser.run("window.wanted = arguments[0]", text);
      browser.until("new URLSearchParams(location.hash.slice(1)).get('find') === wanted");
    }
    set("find: 'x\\ud800'"); // half of a character
    browser.until("new URLSearchParams(location.hash.slice(1)).get('find') === 'x\\ufffd'");
    set("find: ''");
    browser.until("location.hash === ''");
    browser.assertNothingWentWrong();
  }

  @Test
  void partsThatDoNotFit_areIgnored() throws IOException {
    open(Samples.random(50));
    String start = browser.run(STATE);
    for (String fragment :
        List.of(
            "plan=9&beside=77&moment=-5&pin=50&group=none&axis=time",
            "plan=-1&beside=-7&moment=NaN&pin=x&view=1,2,3",
            "view=9,3,0,1000&%&%zz=%E0%A4&=&&__proto__=1&constructor=2",
            "view=Infinity,3,0,NaN&moment=1e999&group=")) {
      reload(fragment);
      assertThat(browser.run(STATE)).as(fragment).isEqualTo(start);
    }
    reload("view=-1e300,1e300,0,1e-300");
    assertThat(
            browser.run(
                """
                const { model, store } = document.getElementById('map').explorer;
                const { left, right, bottom, top } = store.get().range;
                return left === model.start && right === model.stop && bottom === 0 && top === 64;
                """))
        .isEqualTo("true");
    reload("panel=nothing");
    assertThat(browser.text("panel")).contains("Peak");
    browser.assertNothingWentWrong();
  }

  @Test
  void beside_anotherPlan_isDrawnWithTheSameRange() throws IOException {
    PlanPicture picture = Samples.chain();
    open(picture);
    assertThat(browser.run("return document.getElementById('map-beside').checkVisibility()"))
        .isEqualTo("false");
    browser.run(
        """
        const select = document.getElementById('beside');
        select.value = '0';
        select.dispatchEvent(new Event('change'));
        """);
    browser.until("document.querySelector('#map-beside canvas') !== null");
    set("range: { left: 0, right: 5, bottom: 0, top: 5000000 }");
    assertThat(browser.run("return document.getElementById('caption').textContent"))
        .isEqualTo(option("strategy"));
    assertThat(browser.run("return document.getElementById('caption-beside').textContent"))
        .isEqualTo(option("beside"))
        .startsWith("NAIVE");
    assertThat(
            browser.run(
                """
                const boxes = ['map', 'map-beside'].map((id) => document.getElementById(id).getBoundingClientRect());
                return boxes[0].width === boxes[1].width && boxes[0].height === boxes[1].height
                    && boxes[0].right <= boxes[1].left && boxes[0].top === boxes[1].top;
                """))
        .isEqualTo("true");
    // The pointer on the other map shows the offset there: conv is at 0 in the plan of NAIVE.
    browser.run("document.getElementById('map-beside').scrollIntoView()");
    String point =
        browser.run(
            """
            const box = document.getElementById('map-beside').getBoundingClientRect();
            const map = document.getElementById('map').getBoundingClientRect();
            const [x, y] = document.getElementById('map').explorer.view.pixelOf(1.5, 500000);
            return Math.round(box.left + x) + ' ' + Math.round(box.top + y);
            """);
    String[] xy = point.split(" ", 2);
    browser.moveMouseTo(new Browser.Point(Integer.parseInt(xy[0]), Integer.parseInt(xy[1])));
    browser.until("!document.getElementById('hover').hidden");
    int conv = 0;
    assertThat(browser.text("hover"))
        .startsWith("conv/Relu6")
        .containsPattern("offset\\s" + picture.plans().getFirst().drawn().offset(conv) + "\\b");
    browser.assertNothingWentWrong();
  }

  private String option(String id) {
    return browser.run("return document.getElementById(arguments[0]).selectedOptions[0].text", id);
  }
}
