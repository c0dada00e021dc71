// Draws every panel of dashboard.json with Grafana's own components. Its address has from, to, scrape and theme.
import '@fontsource/inter/latin-400.css';
import '@fontsource/inter/latin-500.css';
import {
  applyFieldOverrides, createTheme, FieldConfigOptionsRegistry, getDisplayValueAlignmentFactors, getFieldDisplayValues, identityOverrideProcessor,
  rangeUtil, ThemeContext, type DataFrame, type FieldConfigPropertyItem, type FieldConfigSource, type VizOrientation,
} from '@grafana/data';
import { defaultOptions, type Options as StatOptions } from '@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen';
import { BigValue, GlobalStyles, PanelChrome, TimeSeries, VizRepeater } from '@grafana/ui';
import { Component, useEffect, useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import type { AnyPanel, Board, Plain, StatPanel, TimeSeriesPanel } from './board';
import { ask, type Asked } from './data';

// The sizes of Grafana's grid.
const columns = 24, cell = 30, margin = 8;

const settings = new URLSearchParams(location.search);
const theme = createTheme({ colors: { mode: settings.get('theme') === 'dark' ? 'dark' : 'light' } });
const timeZone = 'utc';
const asked: Asked = {
  range: rangeUtil.convertRawToRange({ from: settings.get('from') ?? 'now-6h', to: settings.get('to') ?? 'now' }),
  scrape: settings.get('scrape') ?? '15s',
};

// What Grafana's panels set where a dashboard says nothing.
const standard = { thresholds: { mode: 'absolute', steps: [{ color: 'green', value: null }, { color: 'red', value: 80 }] } };
const graph = {
  drawStyle: 'line', lineInterpolation: 'linear', lineWidth: 1, fillOpacity: 0, gradientMode: 'none', spanNulls: false, showPoints: 'auto',
  pointSize: 5, stacking: { mode: 'none', group: 'A' }, axisPlacement: 'auto', axisGridShow: true, axisBorderShow: false, axisColorMode: 'text',
  axisCenteredZero: false, scaleDistribution: { type: 'linear' }, hideFrom: { tooltip: false, viz: false, legend: false },
  thresholdsStyle: { mode: 'off' },
};

// registry lists what a field may be configured with.
const registry = new FieldConfigOptionsRegistry(() => [
  ...['unit', 'min', 'max', 'decimals', 'displayName', 'noValue', 'thresholds', 'mappings', 'color'].map((path) => property(path, false)),
  ...[...Object.keys(graph), 'fillBelowTo', 'lineStyle', 'axisLabel', 'axisSoftMin', 'axisSoftMax'].map((path) => property(path, true)),
]);

function property(path: string, isCustom: boolean): FieldConfigPropertyItem {
  const none = () => null;
  return {
    id: isCustom ? `custom.${path}` : path, path, name: path, isCustom, process: identityOverrideProcessor, shouldApply: () => true,
    editor: none, override: none,
  };
}

// configured returns frames with the panel's units, thresholds, mappings and colours.
function configured({ type, fieldConfig }: AnyPanel, data: DataFrame[]): [DataFrame[], FieldConfigSource] {
  const color = { mode: type === 'stat' ? 'thresholds' : 'palette-classic' };
  const custom = { ...(type === 'timeseries' && graph), ...fieldConfig.defaults.custom };
  const source = structuredClone({ ...fieldConfig, defaults: { color, ...standard, ...fieldConfig.defaults, custom } }) as FieldConfigSource;
  return [applyFieldOverrides({ data, fieldConfig: source, fieldConfigRegistry: registry, replaceVariables: String, theme, timeZone }), source];
}

type Size = { width: number; height: number };

function Stat({ panel, data, width, height }: { panel: StatPanel; data: DataFrame[] } & Size) {
  const options = { ...(defaultOptions as Plain<StatOptions>), ...panel.options };
  const [series, fieldConfig] = configured(panel, data);
  return (
    <VizRepeater
      width={width} height={height} source={data} renderCounter={0} itemSpacing={3} autoGrid
      orientation={(panel.options.orientation ?? 'auto') as VizOrientation}
      getAlignmentFactors={getDisplayValueAlignmentFactors} getValues={() => getFieldDisplayValues({
        data: series, fieldConfig, reduceOptions: panel.options.reduceOptions, replaceVariables: String, theme, timeZone,
      })}
      renderValue={({ value, alignmentFactors, count, ...size }) => (
        <BigValue
          {...size} value={value.display} count={count} alignmentFactors={alignmentFactors} theme={theme} text={panel.options.text}
          colorMode={options.colorMode as never} graphMode={options.graphMode as never} justifyMode={options.justifyMode as never}
          textMode={options.textMode as never} disableWideLayout={!options.wideLayout}
        />
      )}
    />
  );
}

function Graph({ panel, data, width, height }: { panel: TimeSeriesPanel; data: DataFrame[] } & Size) {
  const [frames] = configured(panel, data.map(finite));
  return (
    <TimeSeries
      frames={frames} width={width} height={height} timeRange={asked.range} timeZone={timeZone} legend={panel.options.legend as never}
      options={panel.options}
    />
  );
}

// finite has no value where one is infinite or not a number, as Grafana's panel draws it.
function finite(frame: DataFrame): DataFrame {
  return { ...frame, fields: frame.fields.map((f) => ({ ...f, values: f.values.map((v) => (Number.isFinite(v) ? v : null)) })) };
}

// Trap shows in the page why a panel could not be drawn.
class Trap extends Component<{ children: ReactNode }, { error?: string }> {
  state: { error?: string } = {};
  static getDerivedStateFromError = (error: unknown) => ({ error: String(error) });
  render = () => (this.state.error ? <p className="error">{this.state.error}</p> : this.props.children);
}

type Answer = { data?: DataFrame[]; error?: string };

function DrawnPanel({ panel, width, height }: { panel: AnyPanel } & Size) {
  const [{ data, error }, setAnswer] = useState<Answer>({});
  useEffect(() => {
    Promise.all(panel.targets.map((query) => ask(query, width, asked))).then(
      (frames) => setAnswer({ data: frames.flat() }),
      (e) => setAnswer({ error: String(e) }),
    );
  }, [panel, width]);
  const series = JSON.stringify(data?.map(({ refId, fields: [, value] }) =>
    [refId, value.config.displayNameFromDS, value.values.filter((v) => !Number.isNaN(v)).length]));
  return (
    <section data-panel={panel.title} data-type={panel.type} data-series={series}>
      <PanelChrome title={panel.title} description={panel.description} width={width} height={height}>
        {(innerWidth, innerHeight) => (
          <Trap>
            {error && <p className="error">{error}</p>}
            {data && panel.type === 'stat' && <Stat panel={panel} data={data} width={innerWidth} height={innerHeight} />}
            {data && panel.type === 'timeseries' && <Graph panel={panel} data={data} width={innerWidth} height={innerHeight} />}
          </Trap>
        )}
      </PanelChrome>
    </section>
  );
}

function Page({ board }: { board: Board }) {
  const column = (innerWidth - margin * (columns + 1)) / columns;
  const length = (n: number, unit: number) => n * unit + (n - 1) * margin;
  return (
    <ThemeContext.Provider value={theme}>
      <GlobalStyles />
      <main style={{ position: 'relative', background: theme.colors.background.canvas, height: length(rows(board), cell) + 2 * margin }}>
        {board.panels.map((panel) => {
          const { x, y, w, h } = panel.gridPos;
          const left = margin + x * (column + margin), top = margin + y * (cell + margin);
          return (
            <div key={panel.id} style={{ position: 'absolute', left, top }}>
              <DrawnPanel panel={panel} width={length(w, column)} height={length(h, cell)} />
            </div>
          );
        })}
      </main>
    </ThemeContext.Provider>
  );
}

const rows = (board: Board) => Math.max(...board.panels.map(({ gridPos: { y, h } }) => y + h));

const board: Board = await (await fetch('dashboard.json')).json();
createRoot(document.body.appendChild(document.createElement('div'))).render(<Page board={board} />);
