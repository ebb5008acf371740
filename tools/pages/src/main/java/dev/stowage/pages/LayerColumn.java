package dev.stowage.pages;

import dev.stowage.pages.text.Printable;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** The layers of names in the data of a page. */
final class LayerColumn {

  /*
   *   "layers": {"prefixes": [], "parents": [], "level": 0, "of": []}
   *
   * "of" has the innermost layer of each record, or -1, and "parents" the layer around each layer, or -1. "level" is
   * that of layers that are neither few nor many. Without layers, the property is missing.
   */

  private LayerColumn() {}

  static void write(List<String> names, JsonGenerator json) {
    LayerTree tree = LayerTree.of(names);
    if (tree.layers().isEmpty()) {
      return;
    }
    json.writeObjectPropertyStart("layers");
    ScriptJson.column(
        json,
        "prefixes",
        tree.layers().stream().map(layer -> Printable.of(layer.prefix())).toList());
    ScriptJson.column(json, "parents", tree.layers(), LayerTree.Layer::parent);
    json.writeNumberProperty("level", tree.balancedLevel());
    ScriptJson.column(json, "of", names.size(), tree::layerOf);
    json.writeEndObject();
  }
}
