// What a dashboard may say: the types of @grafana/schema, with the texts that JSON has in the place of enumerations.
import type { Dashboard, DataQuery, FieldConfigSource, GraphFieldConfig, Panel } from '@grafana/schema';
import type { Options as StatOptions } from '@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen';
import type { Options as TimeSeriesOptions } from '@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen';

export type Plain<T> = unknown extends T ? T : T extends string ? `${T}` : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;

// Query is what Grafana's data source Prometheus understands of a target. Its types are in no package under a permissive licence.
export interface Query extends Pick<DataQuery, 'refId'> {
  expr: string;
  legendFormat: string;
  instant?: boolean;
  range?: boolean;
}

type Drawn<Type extends string, Options, Custom> = Plain<Omit<Panel, 'type' | 'options' | 'fieldConfig' | 'targets'>> &
  Required<Pick<Panel, 'id' | 'title' | 'gridPos'>> & {
    type: Type;
    options: Plain<Options>;
    fieldConfig: Plain<Omit<FieldConfigSource, 'defaults'>> & {
      defaults: Plain<Omit<FieldConfigSource['defaults'], 'custom'>> & { custom?: Plain<Custom> };
    };
    targets: Query[];
  };

// Stat leaves out what it has a default for.
export type StatPanel = Drawn<'stat', Partial<StatOptions> & Pick<StatOptions, 'reduceOptions'>, never>;
export type TimeSeriesPanel = Drawn<'timeseries', TimeSeriesOptions, GraphFieldConfig>;
export type AnyPanel = StatPanel | TimeSeriesPanel;

export type Board = Plain<Omit<Dashboard, 'panels'>> & { panels: AnyPanel[] };
