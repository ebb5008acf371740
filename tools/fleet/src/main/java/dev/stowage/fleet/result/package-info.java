/** Results of items: lines of JSON, tables, and files for other programs. */
@NullMarked
package dev.stowage.fleet.result;

import org.jspecify.annotations.NullMarked;
